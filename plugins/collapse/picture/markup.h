/* SPDX-License-Identifier: MIT */
/* Reads the tags of XML and HTML one after another.
 *
 * Pictures are often not well-formed: names in them may contain "<" or control characters, and
 * files are cut off. So nothing here fails: everything that is not a tag is text. */
#ifndef PICTURE_MARKUP_H
#define PICTURE_MARKUP_H

#include <brazier/text.h>

typedef enum markup_kind { MARKUP_END, MARKUP_OPEN, MARKUP_CLOSE, MARKUP_TEXT } markup_kind;

typedef struct markup {
    brz_str rest; /* what follows the tag */
    markup_kind kind;
    brz_str name;       /* of a tag; without the prefix of a namespace */
    brz_str attributes; /* of an opening tag */
    brz_str text;       /* as written: the tag, or the text between tags */
    bool is_empty;      /* the tag is closed at once: <name/> */
} markup;

void markup_start(markup *m, brz_str text);

/* Reads the next tag or text. Skips comments and declarations. Returns false at the end. */
bool markup_next(markup *m);

/* Returns the text of the element that has begun, with whatever is in it, up to its end tag. If
 * that is missing, the text ends before the next tag with one of the `n` names. The tag that ends
 * it is not read yet. */
brz_str markup_content(markup *m, const char *const *names, size_t n);

/* Stores the values, as written, of the attributes with the `n` keys. Others are empty. */
void markup_attributes(const markup *m, const char *const *keys, size_t n, brz_str *values);

/* Returns whether the tag has this name. */
bool markup_is(const markup *m, markup_kind kind, const char *name);

/* Decodes the entities of a text and appends it. Unknown entities, control characters and "<" stay
 * as they are; returns false if the text has some. */
bool markup_decode(brz_text *to, brz_ctx *ctx, brz_str s);

/* Returns the name of a document's outermost element, or an empty text. */
brz_str markup_root(brz_str document);

#endif
