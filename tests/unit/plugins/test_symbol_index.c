/* SPDX-License-Identifier: MIT */
/* Tests lookups of symbols of which only a few are read, against tables of all symbols. */
#include "host_memory.h"
#include "common/symbols/symbol_index.h"

#include <brazier/symbol.h>

enum { TABLES = 300, SYMBOLS_MAX = 40, SPACE = 200, LARGE = 3000 };

/* ---- symbols -------------------------------------------------------------------------------- */

/* Symbols in their file. A name that begins with `$` does not count. */
typedef struct source {
    symbol items[LARGE];
    char names[LARGE][8];
    size_t n, n_read;
} source;

/* Implements symbol_read. */
static bool read_source(void *context, const symbol_place *place, symbol *s)
{
    source *of = context;
    of->n_read++;
    s->name = of->items[place->number].name;
    s->flags |= of->items[place->number].flags;
    return s->name.data[0] != '$';
}

static void add(source *s, uint64_t start, uint64_t size, uint32_t flags, const char *name)
{
    snprintf(s->names[s->n], sizeof s->names[s->n], "%s", name);
    s->items[s->n] = (symbol){.start = start, .end = size > 0 ? start + size : 0, .flags = flags};
    s->items[s->n].flags |= size > 0 ? SYMBOL_SIZED : 0;
    s->items[s->n].name = brz_str_of(s->names[s->n], strlen(s->names[s->n]));
    s->n++;
}

/* The same symbols in both forms. */
typedef struct fixture {
    memory memory;
    brz_ctx ctx;
    source source;
    symbol_index index;
    symbol_table table;
} fixture;

static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = &f->memory};
    symbol_index_init(&f->index, &f->ctx, read_source, &f->source);
    return f;
}

/* Fills both from the source. */
static void fill(fixture *f)
{
    for (size_t i = 0; i < f->source.n; i++) {
        const symbol *s = &f->source.items[i];
        symbol_place place = {.start = s->start, .number = (uint32_t)i};
        place.size = s->end > 0 ? s->end - s->start : 0;
        symbol_index_add(&f->index, place);
        if (s->name.data[0] != '$')
            symbol_table_add(&f->table, &f->ctx, *s);
    }
    symbol_index_finish(&f->index);
    symbol_table_finish(&f->table, &f->ctx);
}

static void end(fixture *f)
{
    for (size_t i = 0; i < f->memory.n; i++)
        free(f->memory.blocks[i]);
    free(f);
}

static void compare_at(fixture *f, uint64_t address)
{
    const symbol *got = symbol_index_find(&f->index, address);
    const symbol *want = symbol_table_find(&f->table, address);
    assert_int_equal(got == NULL, want == NULL);
    if (want != NULL)
        assert_string_equal(got->name.data, want->name.data);
}

/* ---- random symbols ------------------------------------------------------------------------- */

static void add_random(source *s, dice *d)
{
    static const uint64_t bases[] = {0, 7, UINT64_C(0xffffffff81000000), UINT64_MAX - SPACE};
    uint64_t base = bases[roll_below(d, COUNT_OF(bases))];
    size_t n = roll_below(d, SYMBOLS_MAX);
    for (size_t i = 0; i < n; i++) {
        char name[8];
        uint64_t start = base + roll_below(d, SPACE) % (1 + roll_below(d, SPACE));
        uint64_t size = roll_below(d, 3) == 0 ? 0 : roll_below(d, 3) == 0 ? 90 : roll_below(d, 9);
        snprintf(name, sizeof name, "%s%c", roll_below(d, 5) == 0 ? "$" : "_",
                 'a' + (char)(i % 26));
        add(s, start, size, (uint32_t)roll_below(d, 4), name);
    }
}

static void lookups_give_what_a_table_of_all_symbols_gives(void **state)
{
    (void)state;
    dice d = {2026};
    for (int i = 0; i < TABLES; i++) {
        fixture *f = begin();
        add_random(&f->source, &d);
        fill(f);
        for (int k = 0; k < 2 * SPACE; k++) {
            uint64_t base = f->source.n > 0 ? f->source.items[0].start - SPACE : 0;
            compare_at(f, base + roll_below(&d, 2 * SPACE));
        }
        compare_at(f, UINT64_MAX);
        compare_at(f, UINT64_C(0xffffffff81000000) + SPACE + 4096);
        end(f);
    }
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void places_that_are_added_later_count(void **state)
{
    (void)state;
    fixture *f = begin();
    add(&f->source, 100, 0, 0, "open");
    fill(f);
    assert_true(symbol_index_is_open(&f->index, 150));
    assert_string_equal(symbol_index_find(&f->index, 150)->name.data, "open");
    add(&f->source, 140, 20, 0, "jump");
    symbol_index_add(&f->index, (symbol_place){.start = 140, .number = 1, .size = 20});
    symbol_index_finish(&f->index);
    assert_string_equal(symbol_index_find(&f->index, 150)->name.data, "jump");
    assert_false(symbol_index_is_open(&f->index, 150));
    assert_null(symbol_index_find(&f->index, 160));
    assert_string_equal(symbol_index_at(&f->index, 140)->name.data, "jump");
    assert_null(symbol_index_at(&f->index, 141));
    end(f);
}

/* Each lookup after the many small ones would read all of them if it did not know which reach that
 * far. */
static void a_symbol_around_many_is_found_at_once(void **state)
{
    (void)state;
    fixture *f = begin();
    add(&f->source, 10, 10 * LARGE, 0, "outer");
    for (uint64_t i = 1; i < LARGE; i++)
        add(&f->source, 10 + 4 * i, 2, 0, "inner");
    fill(f);
    for (uint64_t i = 1; i < LARGE; i++)
        assert_string_equal(symbol_index_find(&f->index, 10 + 4 * i + 3)->name.data, "outer");
    assert_in_range(f->source.n_read, 1, LARGE);
    end(f);
}

/* The symbols that reach furthest do not count, so each lookup would read all of them. */
static void symbols_that_overlap_in_odd_ways_are_sorted_once(void **state)
{
    (void)state;
    fixture *f = begin();
    for (uint64_t i = 0; i < LARGE - 1; i++)
        add(&f->source, i, 10 * LARGE - 2 * i, 0, "$outer");
    add(&f->source, LARGE, 1, 0, "last");
    fill(f);
    for (uint64_t i = 0; i < LARGE; i++)
        compare_at(f, LARGE + i);
    assert_in_range(f->source.n_read, 1, 2 * LARGE);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_give_what_a_table_of_all_symbols_gives),
        cmocka_unit_test(places_that_are_added_later_count),
        cmocka_unit_test(a_symbol_around_many_is_found_at_once),
        cmocka_unit_test(symbols_that_overlap_in_odd_ways_are_sorted_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
