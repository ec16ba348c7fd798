/* SPDX-License-Identifier: MIT */
/* Tests the serialisation of profiles and reports: the reader returns what was written, and rejects
 * everything else. */
#include "unit.h"

#include "profile/wire.h"

/* ---- wire in memory ------------------------------------------------------------------------ */

typedef struct given {
    brz_wire_out out; /* first */
    brz_buf bytes;
} given;

static void keep(brz_wire_out *out, const void *data, size_t n)
{
    brz_buf_add(&((given *)out)->bytes, data, n);
}

static given *give(void)
{
    given *g = calloc(1, sizeof *g);
    g->out.write = keep;
    return g;
}

static void forget(given *g)
{
    brz_buf_finish(&g->bytes);
    free(g);
}

typedef struct taken {
    brz_wire_in in; /* first */
    const char *at;
    size_t len, portion;
} taken;

static size_t hand_out(brz_wire_in *in, void *to, size_t n)
{
    taken *t = (taken *)in;
    n = n < t->portion ? n : t->portion;
    n = n < t->len ? n : t->len;
    memcpy(to, t->at, n);
    t->at += n;
    t->len -= n;
    return n;
}

static taken *take(const char *bytes, size_t n)
{
    taken *t = calloc(1, sizeof *t);
    t->in.read = hand_out;
    t->in.left = UINT64_MAX;
    t->at = bytes;
    t->len = n;
    t->portion = SIZE_MAX;
    return t;
}

/* ---- examples ------------------------------------------------------------------------------ */

static brz_tag add_example_tag(brz_profile *p)
{
    const brz_label labels[] = {
        {.key = BRZ_STR("size"), .unit = BRZ_STR("bytes"), .number = 9, .flags = BRZ_LABEL_NUMBER},
        {.key = BRZ_STR("request"), .text = BRZ_STR("GET /")},
    };
    brz_tag_desc d = {.struct_size = sizeof d,
                      .flags = BRZ_TAG_PROCESS | BRZ_TAG_CPU,
                      .process = 12,
                      .cpu = 3,
                      .label_size = sizeof labels[0],
                      .thread_name = BRZ_STR("worker"),
                      .labels = labels,
                      .n_labels = 2};
    return brz_tags_add(&p->tags, &p->strings, &d);
}

static void state_example_facts(brz_profile *p)
{
    const brz_str comments[] = {BRZ_STR("first"), BRZ_STR("second")};
    const brz_pair pair = {BRZ_STR("kernel"), BRZ_STR("6.1")};
    brz_metadata m = {.struct_size = sizeof m,
                      .pair_size = sizeof pair,
                      .start = 1700000000,
                      .producer = BRZ_STR("example 1.0"),
                      .comments = comments,
                      .n_comments = 2,
                      .pairs = &pair,
                      .n_pairs = 1};
    brz_facts_state(&p->facts, &p->strings, &m, 17);
    const brz_tag_desc of = {.struct_size = sizeof of,
                             .flags = BRZ_TAG_PROCESS,
                             .process = 5,
                             .thread_name = BRZ_STR("w")};
    m.of = &of;
    m.n_comments = 1;
    brz_parts_state(&p->parts, &p->strings, &m, 18);
}

/* Returns a profile with at least one item of each type. */
static void add_example_code(brz_profile *p)
{
    brz_module_code m = {.module = BRZ_STR("libf.so"), .build_id = BRZ_STR("ab12")};
    m.code = (brz_code){.machine = 62, .flags = 1, .address = 16, .shown = 4112};
    m.code.bytes = BRZ_STR("\x90\xc3");
    brz_codes_add(&p->codes, &m);
}

static brz_profile *example(void)
{
    const brz_frame_desc descs[] = {
        {.name = BRZ_STR("main")},
        {.name = BRZ_STR("f"), .module = BRZ_STR("libf.so"), .file = BRZ_STR("f.c"), .line = 7},
        {.name = BRZ_STR("k_[k]"), .kind = BRZ_KIND_KERNEL},
    };
    brz_profile *p = brz_profile_create();
    for (size_t i = 0; i < COUNT_OF(descs); i++)
        brz_profile_add_frame(p, &descs[i]);
    brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR("samples"), 0, 3);
    brz_profile_add_weight(p, BRZ_STR("time"), BRZ_STR("seconds"), 6, 1);
    brz_profile_add_weight(p, BRZ_STR("nothing"), BRZ_STR("bytes"), 0, 9);
    brz_stack a = brz_profile_intern_stack(p, (brz_frame[]){0, 1}, 2, 0);
    brz_stack b = brz_profile_intern_stack(p, (brz_frame[]){2, 1, 0}, 3, BRZ_LEAF_FIRST);
    brz_profile_intern_stack(p, NULL, 0, 0);
    brz_profile_add_value(p, a, 0, 5);
    brz_profile_add_value(p, b, 0, INT64_MIN);
    brz_profile_add_value(p, b, 0, -1);
    brz_profile_add_value(p, a, 1, 1500000);
    p->samples.items = calloc(2, sizeof *p->samples.items);
    p->samples.items[0] = (brz_profile_sample){100, -4, b, 1, add_example_tag(p) & 0x7fffff, 0};
    p->samples.items[1] = (brz_profile_sample){BRZ_NO_TIME, 5, a, 0, BRZ_NO_TAG, 0};
    p->samples.n = p->samples.cap = 2;
    p->samples.which = BRZ_SAMPLES_SINGLE;
    state_example_facts(p);
    add_example_code(p);
    brz_profile_seal(p);
    return p;
}

static void assert_same_texts(const brz_strings *a, const brz_strings *b)
{
    assert_int_equal(a->n, b->n);
    for (uint32_t i = 0; i < a->n; i++)
        assert_text(brz_strings_at(a, i), brz_strings_at(b, i).data);
}

static void assert_same_weights(const brz_profile *a, const brz_profile *b)
{
    assert_int_equal(a->n_weights, b->n_weights);
    for (uint32_t w = 0; w < a->n_weights; w++) {
        assert_int_equal(a->weights[w].name, b->weights[w].name);
        assert_int_equal(a->weights[w].unit, b->weights[w].unit);
        assert_int_equal(a->weights[w].decimals, b->weights[w].decimals);
        assert_int_equal(a->weights[w].position, b->weights[w].position);
        for (brz_stack s = 0; s < a->n_stacks; s++)
            assert_true(brz_profile_value(a, s, w) == brz_profile_value(b, s, w));
    }
}

static void assert_same_tags(const brz_tags *a, const brz_tags *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_labels, b->n_labels);
    assert_int_equal(a->left_out, b->left_out);
    for (size_t i = 0; i < a->n; i++)
        assert_memory_equal(&a->items[i], &b->items[i], sizeof a->items[i]);
    if (a->n_labels > 0)
        assert_memory_equal(a->labels, b->labels, a->n_labels * sizeof *a->labels);
}

static void assert_same_facts(const brz_facts *a, const brz_facts *b)
{
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->left_out, b->left_out);
    assert_memory_equal(a->single, b->single, sizeof a->single);
    for (size_t list = 0; list < COUNT_OF(a->n); list++) {
        assert_int_equal(a->n[list], b->n[list]);
        if (a->n[list] > 0)
            assert_memory_equal(a->lists[list], b->lists[list], a->n[list] * sizeof(brz_fact));
    }
}

static void assert_same_codes(const brz_codes *a, const brz_codes *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        const brz_module_code *x = &a->items[i], *y = &b->items[i];
        assert_text(x->module, y->module.data);
        assert_text(x->build_id, y->build_id.data);
        assert_int_equal(x->code.bytes.len, y->code.bytes.len);
        assert_memory_equal(x->code.bytes.data, y->code.bytes.data, x->code.bytes.len);
        assert_int_equal(x->code.machine, y->code.machine);
        assert_int_equal(x->code.flags, y->code.flags);
        assert_int_equal(x->code.address, y->code.address);
        assert_int_equal(x->code.shown, y->code.shown);
    }
}

static void assert_same(const brz_profile *a, const brz_profile *b)
{
    assert_same_texts(&a->strings, &b->strings);
    assert_int_equal(a->n_frames, b->n_frames);
    if (a->n_frames > 0)
        assert_memory_equal(a->frames, b->frames, a->n_frames * sizeof *a->frames);
    assert_int_equal(a->n_stacks, b->n_stacks);
    for (size_t i = 0; i < a->n_stacks; i++) {
        const brz_profile_stack *x = &a->stacks[i], *y = &b->stacks[i];
        assert_int_equal(x->n, y->n);
        if (x->n > 0)
            assert_memory_equal(x->frames, y->frames, x->n * sizeof *x->frames);
        assert_false(y->leaf_first);
    }
    assert_same_weights(a, b);
    assert_int_equal(a->samples.which, b->samples.which);
    assert_same_tags(&a->tags, &b->tags);
    assert_same_facts(&a->facts, &b->facts);
    assert_same_tags(&a->parts.tags, &b->parts.tags);
    for (size_t i = 1; i < a->parts.tags.n; i++)
        assert_same_facts(&a->parts.facts[i], &b->parts.facts[i]);
    assert_same_codes(&a->codes, &b->codes);
    assert_int_equal(a->samples.n, b->samples.n);
    if (a->samples.n > 0)
        assert_memory_equal(a->samples.items, b->samples.items,
                            a->samples.n * sizeof *a->samples.items);
    assert_int_equal(a->saturated, b->saturated);
}

static given *given_example(void)
{
    given *g = give();
    brz_profile *p = example();
    brz_wire_put_profile(&g->out, p);
    brz_wire_flush(&g->out);
    brz_profile_destroy(p);
    return g;
}

/* ---- profiles ------------------------------------------------------------------------------ */

static void a_profile_comes_back_as_it_was(void **state)
{
    (void)state;
    const size_t portions[] = {SIZE_MAX, 1, 7};
    given *g = given_example();
    brz_profile *want = example();
    for (size_t i = 0; i < COUNT_OF(portions); i++) {
        brz_profile *p = NULL;
        taken *t = take(g->bytes.data, g->bytes.len);
        t->portion = portions[i];
        assert_true(brz_wire_take_profile(&t->in, &p));
        assert_true(brz_wire_is_at_end(&t->in));
        assert_same(want, p);
        brz_profile_destroy(p);
        free(t);
    }
    brz_profile_destroy(want);
    forget(g);
}

static void a_profile_that_came_back_can_be_added_to(void **state)
{
    (void)state;
    brz_profile *p = NULL;
    given *g = given_example();
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_profile(&t->in, &p));
    brz_frame_desc known = {.name = BRZ_STR("main")}, more = {.name = BRZ_STR("more")};
    assert_int_equal(brz_profile_add_frame(p, &known), 0);
    assert_int_equal(brz_profile_add_frame(p, &more), 3);
    brz_stack s = brz_profile_intern_stack(p, (brz_frame[]){3}, 1, 0);
    brz_profile_add_value(p, s, 2, 8);
    assert_int_equal(brz_profile_value(p, s, 2), 8);
    brz_profile_destroy(p);
    free(t);
    forget(g);
}

static void facts_without_texts_come_back(void **state)
{
    (void)state;
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair), .start = 1700000000};
    brz_profile *p = brz_profile_create(), *q = NULL;
    brz_facts_state(&p->facts, &p->strings, &m, 0);
    given *g = give();
    brz_wire_put_profile(&g->out, p);
    brz_wire_flush(&g->out);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_profile(&t->in, &q));
    assert_same_facts(&p->facts, &q->facts);
    brz_profile_destroy(p);
    brz_profile_destroy(q);
    free(t);
    forget(g);
}

static void many_long_texts_and_stacks_come_back(void **state)
{
    (void)state;
    enum { DEEP = 100000, LONG = 300000 };
    brz_profile *p = brz_profile_create(), *q = NULL;
    brz_frame *deep = calloc(DEEP, sizeof *deep);
    char *text = malloc(LONG);
    memset(text, 'x', LONG);
    for (uint32_t i = 0; i < 1000; i++) {
        brz_frame_desc d = {.name = brz_str_of(text, (size_t)LONG / 1000 * (i + 1)), .line = i};
        brz_profile_add_frame(p, &d);
    }
    for (uint32_t i = 0; i < DEEP; i++)
        deep[i] = i % 1000;
    brz_profile_add_stack(p, deep, DEEP, 0);
    given *g = give();
    brz_wire_put_profile(&g->out, p);
    brz_wire_flush(&g->out);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_profile(&t->in, &q));
    assert_same(p, q);
    brz_profile_destroy(p);
    brz_profile_destroy(q);
    free(deep);
    free(text);
    free(t);
    forget(g);
}

static void stacks_within_each_other_come_back_sharing_frames(void **state)
{
    (void)state;
    enum { DEEP = 1000 };
    brz_frame ids[DEEP];
    brz_profile *p = brz_profile_create(), *q = NULL;
    for (uint32_t i = 0; i < DEEP; i++)
        ids[i] = brz_profile_add_frame(p, &(brz_frame_desc){.name = BRZ_STR("f"), .line = i + 1});
    for (uint32_t n = 0; n <= DEEP; n++)
        brz_profile_add_stack(p, ids, n, n > 0 ? BRZ_NESTED : 0);
    brz_profile_add_stack(p, ids, 7, BRZ_NESTED);
    given *g = give();
    brz_wire_put_profile(&g->out, p);
    brz_wire_flush(&g->out);
    assert_true(g->bytes.len < 200 * DEEP);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_profile(&t->in, &q));
    assert_same(p, q);
    assert_true(q->n_ids < 4 * DEEP);
    brz_profile_destroy(p);
    brz_profile_destroy(q);
    free(t);
    forget(g);
}

static void absent_and_empty_are_distinguished(void **state)
{
    (void)state;
    brz_profile *empty = brz_profile_create(), *p = empty, *q = NULL;
    given *g = give();
    brz_wire_put_profile(&g->out, NULL);
    brz_wire_put_profile(&g->out, empty);
    brz_wire_flush(&g->out);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_profile(&t->in, &p));
    assert_null(p);
    assert_true(brz_wire_take_profile(&t->in, &q));
    assert_non_null(q);
    assert_same(empty, q);
    brz_profile_destroy(empty);
    brz_profile_destroy(q);
    free(t);
    forget(g);
}

/* ---- manipulated profiles ------------------------------------------------------------------ */

static void an_end_anywhere_within_is_a_fault(void **state)
{
    (void)state;
    given *g = given_example();
    for (size_t n = 0; n < g->bytes.len; n++) {
        brz_profile *p = NULL;
        char *cut = exact_copy(g->bytes.data, n);
        taken *t = take(cut, n);
        assert_false(brz_wire_take_profile(&t->in, &p));
        assert_string_equal(t->in.fault, "unexpected end of data");
        assert_null(p);
        free(t);
        free(cut);
    }
    forget(g);
}

static void any_changed_byte_gives_a_fault_or_a_sound_profile(void **state)
{
    (void)state;
    const uint8_t changes[] = {0x01, 0x80, 0xff};
    given *g = given_example();
    size_t refused = 0, accepted = 0;
    for (size_t i = 0; i < g->bytes.len; i++)
        for (size_t k = 0; k < COUNT_OF(changes); k++) {
            brz_profile *p = NULL, *copy = brz_profile_create();
            char *changed = exact_copy(g->bytes.data, g->bytes.len);
            changed[i] = (char)(changed[i] ^ changes[k]);
            taken *t = take(changed, g->bytes.len);
            bool good = brz_wire_take_profile(&t->in, &p);
            assert_int_equal(good, t->in.fault == NULL);
            if (good && p != NULL)
                brz_profile_absorb_distinct(copy, p);
            *(good ? &accepted : &refused) += 1;
            brz_profile_destroy(copy);
            brz_profile_destroy(p);
            free(t);
            free(changed);
        }
    assert_true(refused > 100);
    assert_true(accepted > 100);
    forget(g);
}

/* A manipulation of the example, and the expected fault. */
typedef struct lie {
    void (*tell)(brz_profile *);
    const char *fault;
} lie;

static void wrong_text(brz_profile *p)
{
    p->frames[1].file = 99;
}

static void wrong_frame(brz_profile *p)
{
    p->stacks[0].frames[1] = 3;
}

/* The last stack adds a frame to a part of the first one. */
static void branching_stack(brz_profile *p)
{
    p->stacks[1].frames = p->stacks[2].frames = p->stacks[0].frames;
    p->stacks[1].n = 1;
    p->stacks[2].n = 2;
}

static void same_frame(brz_profile *p)
{
    p->frames[2] = p->frames[0];
}

static void same_text(brz_profile *p)
{
    p->strings.items[2] = p->strings.items[1];
}

static void empty_text(brz_profile *p)
{
    p->strings.items[2].len = 0;
}

static void malformed_text(brz_profile *p)
{
    p->strings.items[2] = BRZ_STR("\xff");
    p->strings.items[3] = BRZ_STR("\xef\xbf\xbd"); /* the repaired form of the previous string */
}

static void same_weight(brz_profile *p)
{
    p->weights[1].name = p->weights[0].name;
}

static void nameless_weight(brz_profile *p)
{
    p->weights[1].name = 77;
}

static void fine_weight(brz_profile *p)
{
    p->weights[1].decimals = 10;
}

static void sample_of_no_stack(brz_profile *p)
{
    p->samples.items[1].stack = 3;
}

static void sample_of_no_weight(brz_profile *p)
{
    p->samples.items[0].weight = 3;
}

static void each_manipulation_is_described(void **state)
{
    (void)state;
    const lie lies[] = {
        {wrong_text, "a frame with an unknown text"},
        {wrong_frame, "a stack with an unknown frame"},
        {branching_stack, "a stack that shares unknown frames"},
        {same_frame, "a duplicate frame"},
        {same_text, "a duplicate text"},
        {empty_text, "a duplicate text"},
        {malformed_text, "a duplicate text"},
        {same_weight, "a duplicate weight"},
        {nameless_weight, "an invalid weight"},
        {fine_weight, "an invalid weight"},
        {sample_of_no_stack, "a sample of an unknown stack"},
        {sample_of_no_weight, "a sample of an unknown stack"},
    };
    for (size_t i = 0; i < COUNT_OF(lies); i++) {
        brz_profile *p = example(), *q = NULL;
        given *g = give();
        lies[i].tell(p);
        brz_wire_put_profile(&g->out, p);
        brz_wire_flush(&g->out);
        taken *t = take(g->bytes.data, g->bytes.len);
        assert_false(brz_wire_take_profile(&t->in, &q));
        assert_string_equal(t->in.fault, lies[i].fault);
        brz_profile_destroy(p);
        free(t);
        forget(g);
    }
}

/* The reader must not allocate memory for counts of exabytes before the data arrives. */
static void excessive_counts_cost_no_memory(void **state)
{
    (void)state;
    for (int what = 0; what < 4; what++) {
        brz_profile *p = NULL;
        given *g = give();
        brz_wire_put_u32(&g->out, 1);
        brz_wire_put_u64(&g->out, what == 0 ? 2 : 0); /* texts */
        brz_wire_put_u64(&g->out,
                         what == 0   ? 1ull << 60 /* length of the first one, or number of frames */
                         : what == 1 ? 1u << 30
                                     : 0);
        brz_wire_put_u64(&g->out, what == 2);                  /* stacks */
        brz_wire_put_u32(&g->out, what == 2 ? UINT32_MAX : 0); /* its frames, or weights */
        if (what >= 2)
            brz_wire_put_u32(&g->out, 0); /* frames that the stack shares, or weights */
        if (what == 3) {
            brz_wire_put_u64(&g->out, 1ull << 58); /* samples */
        }
        brz_wire_flush(&g->out);
        taken *t = take(g->bytes.data, g->bytes.len);
        assert_false(brz_wire_take_profile(&t->in, &p));
        assert_non_null(t->in.fault);
        free(t);
        forget(g);
    }
}

static void more_bytes_than_there_may_be_are_a_fault(void **state)
{
    (void)state;
    brz_profile *p = NULL;
    given *g = given_example();
    taken *t = take(g->bytes.data, g->bytes.len);
    t->in.left = g->bytes.len - 1;
    assert_false(brz_wire_take_profile(&t->in, &p));
    assert_string_equal(t->in.fault, "more bytes than allowed");
    assert_false(brz_wire_is_at_end(&t->in));
    free(t);
    forget(g);
}

static void after_a_fault_nothing_is_taken(void **state)
{
    (void)state;
    given *g = given_example();
    taken *t = take(g->bytes.data, g->bytes.len);
    uint32_t v = 5;
    assert_false(brz_wire_reject(&t->in, "first"));
    assert_false(brz_wire_reject(&t->in, "second"));
    assert_false(brz_wire_take_u32(&t->in, &v));
    assert_int_equal(v, 5);
    assert_string_equal(t->in.fault, "first");
    free(t);
    forget(g);
}

/* ---- reports ------------------------------------------------------------------------------- */

static void add_reports(brz_notices *r)
{
    brz_notice at = {.severity = BRZ_WARNING,
                     .code = "test.line",
                     .msg = BRZ_STR("odd, {count} times"),
                     .offset = 70,
                     .line = 3,
                     .column = 2,
                     .len = 2,
                     .excerpt = BRZ_STR("xoddx"),
                     .caret = 1,
                     .count = 2,
                     .input = BRZ_STR("in.txt"),
                     .left_out = {2, 1, 15, 1}};
    brz_notice nowhere = {.severity = BRZ_FATAL,
                          .code = "test.all",
                          .msg = BRZ_STR("bad"),
                          .offset = BRZ_NO_OFFSET,
                          .count = 1};
    for (int i = 0; i < 20; i++, at.offset++)
        brz_notices_add(r, &at);
    brz_notices_add(r, &nowhere);
    nowhere.code = NULL;
    nowhere.severity = BRZ_NOTE;
    brz_notices_add(r, &nowhere);
    brz_notices_sort(r);
}

static char *said_of(const brz_notices *r)
{
    ear e;
    ear_open(&e);
    brz_say_notices(&e.console, r);
    brz_say_left_out(&e.console, &r->left_out, BRZ_STR(""));
    char *text = strdup(ear_heard(&e));
    ear_close(&e);
    return text;
}

static void reports_come_back_as_they_were(void **state)
{
    (void)state;
    brz_notices r = {0}, s = {0};
    add_reports(&r);
    given *g = give();
    brz_wire_put_notices(&g->out, &r);
    brz_wire_flush(&g->out);
    char *want = said_of(&r);
    brz_notices_finish(&r);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_true(brz_wire_take_notices(&t->in, &s));
    assert_true(brz_wire_is_at_end(&t->in));
    memset(g->bytes.data, 0, g->bytes.len); /* none of the bytes are needed any more */
    char *got = said_of(&s);
    assert_string_equal(got, want);
    assert_contains(got, "more like this");
    assert_contains(got, "left out: 40 records; weight 30 for 20 of them");
    assert_true(brz_notices_are_fatal(&s));
    brz_notices_finish(&s);
    free(want);
    free(got);
    free(t);
    forget(g);
}

static void any_changed_byte_of_reports_is_refused_or_can_be_said(void **state)
{
    (void)state;
    brz_notices r = {0};
    size_t refused = 0;
    add_reports(&r);
    given *g = give();
    brz_wire_put_notices(&g->out, &r);
    brz_wire_flush(&g->out);
    for (size_t i = 0; i < g->bytes.len; i++) {
        brz_notices s = {0};
        char *changed = exact_copy(g->bytes.data, g->bytes.len);
        changed[i] = (char)(changed[i] ^ 0x81);
        taken *t = take(changed, g->bytes.len);
        if (brz_wire_take_notices(&t->in, &s))
            free(said_of(&s));
        else
            refused++;
        assert_int_equal(t->in.fault == NULL || s.n == 0, true);
        brz_notices_finish(&s);
        free(t);
        free(changed);
    }
    assert_true(refused > 100);
    brz_notices_finish(&r);
    forget(g);
}

static void impossible_records_left_out_are_refused(void **state)
{
    (void)state;
    static const struct {
        brz_left_out left_out;
        const char *fault;
    } cases[] = {
        {{1, 2, 3, 0}, "more records have a weight than are left out"},
        {{1, 1, 3, 10}, "too many decimals"},
    };
    for (size_t i = 0; i < 2; i++) {
        brz_notices r = {.left_out = cases[i].left_out}, s = {0};
        given *g = give();
        brz_wire_put_notices(&g->out, &r);
        brz_wire_flush(&g->out);
        taken *t = take(g->bytes.data, g->bytes.len);
        assert_false(brz_wire_take_notices(&t->in, &s));
        assert_string_equal(t->in.fault, cases[i].fault);
        brz_notices_finish(&s);
        free(t);
        forget(g);
    }
}

static void a_caret_outside_of_its_line_is_refused(void **state)
{
    (void)state;
    brz_notices r = {0}, s = {0};
    brz_notice n = {.code = "c", .excerpt = BRZ_STR("abc"), .caret = 4, .offset = 1};
    brz_notices_add(&r, &n);
    given *g = give();
    brz_wire_put_notices(&g->out, &r);
    brz_wire_flush(&g->out);
    taken *t = take(g->bytes.data, g->bytes.len);
    assert_false(brz_wire_take_notices(&t->in, &s));
    assert_string_equal(t->in.fault, "an invalid report");
    brz_notices_finish(&r);
    brz_notices_finish(&s);
    free(t);
    forget(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_comes_back_as_it_was),
        cmocka_unit_test(a_profile_that_came_back_can_be_added_to),
        cmocka_unit_test(facts_without_texts_come_back),
        cmocka_unit_test(many_long_texts_and_stacks_come_back),
        cmocka_unit_test(stacks_within_each_other_come_back_sharing_frames),
        cmocka_unit_test(absent_and_empty_are_distinguished),
        cmocka_unit_test(an_end_anywhere_within_is_a_fault),
        cmocka_unit_test(any_changed_byte_gives_a_fault_or_a_sound_profile),
        cmocka_unit_test(each_manipulation_is_described),
        cmocka_unit_test(excessive_counts_cost_no_memory),
        cmocka_unit_test(more_bytes_than_there_may_be_are_a_fault),
        cmocka_unit_test(after_a_fault_nothing_is_taken),
        cmocka_unit_test(reports_come_back_as_they_were),
        cmocka_unit_test(any_changed_byte_of_reports_is_refused_or_can_be_said),
        cmocka_unit_test(impossible_records_left_out_are_refused),
        cmocka_unit_test(a_caret_outside_of_its_line_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
