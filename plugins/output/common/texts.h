/* Texts as numbers: each distinct text once, in the order in which they are met. */
#ifndef OUTPUT_COMMON_TEXTS_H
#define OUTPUT_COMMON_TEXTS_H

#include <brazier/plugin.h>

typedef struct texts {
    brz_ctx *ctx;
    brz_str *items; /* by number; borrowed from who gave them */
    uint32_t n;
    size_t cap;
    uint32_t *slots; /* numbers from 1, by hash; 0: free */
    size_t n_slots;
} texts;

/* Memory is the instance's. */
void texts_init(texts *t, brz_ctx *ctx);

/* The number of a text, from 0. */
uint32_t texts_add(texts *t, brz_str text);

#endif
