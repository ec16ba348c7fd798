/* SPDX-License-Identifier: MIT */
/* A page that is being written: its options and its data, and the functions by which the parts of
 * the HTML output use each other. */
#ifndef HTML_DOCUMENT_H
#define HTML_DOCUMENT_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#include "../common/calls.h"
#include "../common/texts.h"

typedef struct html_options {
    brz_str title, source;
    int64_t source_lines;
    int32_t theme; /* an html_theme */
    int32_t order; /* an html_order */
    bool inverted;
} html_options;

typedef enum html_theme { HTML_AUTO, HTML_LIGHT, HTML_DARK } html_theme;

typedef enum html_order { HTML_ORDER_AUTO, HTML_ORDER_NAME, HTML_ORDER_WEIGHT } html_order;

/* One page being written. */
typedef struct html_page {
    brz_output_ctx *ctx;
    const html_options *options;
    const brz_tree *tree;
    brz_writer w;
    calls calls;
    uint32_t *node_of; /* indexed by call: its node, or HTML_NO_NODE; NULL if nodes are no calls */
    texts texts;       /* names, modules and files of frames; text 0 is empty */
    uint32_t *frames;  /* frames of the tree in the page's order */
    uint32_t *number_of; /* indexed by frame of the tree: its number in the page */
} html_page;

/* Names of themes; indexed by html_theme. */
extern const char *const html_themes[];

/* Names of orders; indexed by html_order. */
extern const char *const html_orders[];

/* Writes further members of the data of a page. */
typedef void html_put_more(html_page *p);

/* page.c: Writes a page. */
brz_rc html_write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink);

/* Writes a page with more data; `more` may be NULL. */
brz_rc html_write_with(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink,
                       html_put_more *more);

/* samples.c: Writes ,"samples": single samples with their times and tags, if the tree has some. */
void html_put_samples(html_page *p);

/* The values of samples, to be written. */
typedef struct html_values {
    int64_t *items;  /* positive */
    uint32_t *calls; /* the call of each, below `n_calls` */
    size_t n;
    uint32_t n_calls;
    uint64_t room; /* number of characters they should take at most */
} html_values;

/* values.c: Writes the values of samples, rounded if they would not fit into their room. */
void html_put_values(html_page *p, const html_values *v);

/* Returns the next number of the series 1, 2, 5, 10, 20, 50 … */
uint64_t html_next_step(uint64_t step);

/* text.c: Returns the title of the page. */
brz_str html_title(const html_page *p);

/* fallback.c: Writes what browsers without scripts show. */
void html_put_fallback(html_page *p);

/* text.c: Writes a JSON string without "<", so that HTML sees no markup in it. Invalid UTF-8
 * becomes U+FFFD. */
void html_put_json(brz_writer *w, brz_str s);

/* Writes the same text as the content of an element. */
void html_put_escaped(brz_writer *w, brz_str s);

/* columns.c: Writes a column of numbers as a JSON string. */
void html_open_column(brz_writer *w);
void html_put_number(brz_writer *w, uint64_t v);
void html_close_column(brz_writer *w);

/* Returns the number of characters that a number takes in a column. */
uint64_t html_number_size(uint64_t v);

/* A call without a selected weight. */
#define HTML_NO_NODE UINT32_MAX

/* nodes.c: Finds the nodes of calls, and gives calls of several frames the frames of their nodes.
 */
void html_find_nodes(html_page *p);

/* frames.c: Numbers the frames: frequent ones get small numbers, which take less room. Must be
 * called when the calls are known. */
void html_number_frames(html_page *p);

/* colors.c: Writes ,"colors" and the columns that refer to it. */
void html_put_colors(html_page *p);

/* legend.c: Writes ,"legend" and ,"legends". */
void html_put_legend(html_page *p);

/* data.c: Writes all data as one JSON object; `more` may be NULL. */
void html_put_data(html_page *p, html_put_more *more);

/* source.c: Writes ,"source": excerpts of source files, if the option asks for them. */
void html_put_source(html_page *p);

#endif
