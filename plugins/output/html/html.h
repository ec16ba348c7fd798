/* What the parts of the HTML output share: options, and the profile on its way into the page. */
#ifndef HTML_HTML_H
#define HTML_HTML_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#include "../common/calls.h"
#include "../common/texts.h"

typedef struct html_options {
    brz_str title, source;
    int64_t source_lines;
    int32_t theme; /* html_theme */
    bool inverted;
} html_options;

typedef enum html_theme { HTML_AUTO, HTML_LIGHT, HTML_DARK } html_theme;

/* One page being written. */
typedef struct html_page {
    brz_ctx *ctx;
    const html_options *options;
    const brz_tree *tree;
    brz_writer w;
    calls calls;
    texts texts; /* names, modules and files of frames; text 0 is empty */
} html_page;

/* text.c: a JSON string without "<", so that nothing in it means anything to HTML. What is not
 * UTF-8 becomes U+FFFD. */
void html_put_json(brz_writer *w, brz_str s);

/* The same text as an element's content. */
void html_put_escaped(brz_writer *w, brz_str s);

/* columns.c: numbers in base64, each as bytes of seven bits, the lowest first; all but the last
 * byte of a number have the highest bit set. */
typedef struct html_column {
    brz_writer *w;
    uint32_t bits, n_bytes; /* that are not written yet */
} html_column;

void html_open_column(html_column *c, brz_writer *w);
void html_put_number(html_column *c, uint64_t v);
void html_close_column(html_column *c);

/* colors.c: ,"colors", and what refers to them. */
void html_put_colors(html_page *p);

/* data.c: the whole of the data, as one JSON object. */
void html_put_data(html_page *p);

/* source.c: ,"source": excerpts of files, if any are wanted. */
void html_put_source(html_page *p);

#endif
