/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of data from a child process, which may have run a hostile plug-in.
 *
 * Accepted data is valid: it can be merged into another profile, and writing and reading it again
 * gives the same bytes. Rejected data causes a message.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/wire.h"

typedef struct given {
    brz_wire_out out; /* first */
    brz_buf bytes;
} given;

static void keep(brz_wire_out *out, const void *data, size_t n)
{
    brz_buf_add(&((given *)out)->bytes, data, n);
}

typedef struct taken {
    brz_wire_in in; /* first */
    const uint8_t *at;
    size_t len;
} taken;

static size_t hand_out(brz_wire_in *in, void *to, size_t n)
{
    taken *t = (taken *)in;
    n = n < t->len ? n : t->len;
    if (n > 0)
        memcpy(to, t->at, n);
    t->at += n;
    t->len -= n;
    return n;
}

/* The complete data of a child. */
typedef struct whole {
    brz_profile *profile;
    brz_notices notices;
} whole;

static bool take_whole(const void *bytes, size_t n, whole *w)
{
    static taken t;
    memset(&t, 0, sizeof t);
    t.in.read = hand_out;
    t.in.left = (uint64_t)1 << 20;
    t.at = bytes;
    t.len = n;
    *w = (whole){0};
    bool good =
        brz_wire_take_profile(&t.in, &w->profile) && brz_wire_take_notices(&t.in, &w->notices);
    FUZZ_REQUIRE(good == (t.in.fault == NULL), "%s, and %s", good ? "accepted" : "refused",
                 t.in.fault == NULL ? "no fault" : t.in.fault);
    return good;
}

static void forget_whole(whole *w)
{
    brz_profile_destroy(w->profile);
    brz_notices_finish(&w->notices);
}

static brz_buf give_whole(const whole *w)
{
    static given g;
    memset(&g, 0, sizeof g);
    g.out.write = keep;
    brz_wire_put_profile(&g.out, w->profile);
    brz_wire_put_notices(&g.out, &w->notices);
    brz_wire_flush(&g.out);
    return g.bytes;
}

static void check_again(const whole *w)
{
    whole again;
    brz_buf first = give_whole(w);
    FUZZ_REQUIRE(take_whole(first.data, first.len, &again), "given, and not accepted again");
    brz_buf second = give_whole(&again);
    FUZZ_REQUIRE(first.len == second.len && memcmp(first.data, second.data, first.len) == 0,
                 "given twice, and not the same");
    forget_whole(&again);
    brz_buf_finish(&first);
    brz_buf_finish(&second);
}

static void check_use(const whole *w)
{
    char *said = NULL;
    size_t n_said;
    brz_console console = {.out = open_memstream(&said, &n_said)};
    brz_say_notices(&console, &w->notices);
    fclose(console.out);
    free(said);
    if (w->profile == NULL)
        return;
    brz_profile *other = brz_profile_create();
    brz_profile_sort_weights(w->profile);
    brz_profile_absorb_distinct(other, w->profile);
    brz_profile_destroy(other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    whole w;
    if (take_whole(data, size, &w)) {
        check_again(&w);
        check_use(&w);
    }
    forget_whole(&w);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
