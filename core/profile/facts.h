/* SPDX-License-Identifier: MIT */
/* Collects facts about a recording: the metadata of a profile.
 *
 * Several instances may state facts about one input, in any order. Each fact has the position at
 * which it was stated; of two facts about the same subject, the one with the lower position counts.
 */
#ifndef BRZ_FACTS_H
#define BRZ_FACTS_H

#include <brazier/metadata.h>

#include "base/string_table.h"

/* Maximum number of comments and further facts; more of them are left out. */
#define BRZ_MAX_FACTS 1024

/* The subject of a fact. Numbers are in `number`, texts in `text`. */
typedef enum brz_fact_subject {
    BRZ_FACT_START,
    BRZ_FACT_CLOCK_START,
    BRZ_FACT_DURATION,
    BRZ_FACT_PERIOD,
    BRZ_FACT_PERIOD_NAME,
    BRZ_FACT_PERIOD_UNIT,
    BRZ_FACT_PRODUCER,
    BRZ_FACT_COMMAND,
    BRZ_FACT_HOST,
    BRZ_FACT_ARCHITECTURE,
    BRZ_FACT_SINGLE, /* number of subjects with a single value */
    BRZ_FACT_COMMENT = BRZ_FACT_SINGLE,
    BRZ_FACT_PAIR, /* key and text */
    BRZ_FACT_SUBJECTS,
} brz_fact_subject;

/* Texts are ids in the profile's string table. */
typedef struct brz_fact {
    uint64_t position;
    int64_t number;
    uint32_t key, text;
} brz_fact;

/* A zeroed struct holds no facts. */
typedef struct brz_facts {
    brz_fact single[BRZ_FACT_SINGLE];
    uint32_t known; /* bit set of the single facts that are known */
    brz_fact *lists[BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE];
    size_t n[BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE], caps[BRZ_FACT_SUBJECTS - BRZ_FACT_SINGLE];
    uint64_t left_out; /* number of facts that did not fit */
} brz_facts;

/* Adds a fact. */
void brz_facts_add(brz_facts *f, brz_fact_subject subject, const brz_fact *fact);

/* Adds all facts that `m` states at `position`. Copies the texts into `strings`. */
void brz_facts_state(brz_facts *f, brz_strings *strings, const brz_metadata *m, uint64_t position);

/* Adds all facts of `from`. */
void brz_facts_absorb(brz_facts *into, brz_strings *strings, const brz_facts *from,
                      const brz_strings *from_strings);

/* Prepares facts of two inputs that are added up, or compared if `adds` is false, to be absorbed:
 * who recorded what, where and for how long stays known only if both inputs say the same. Durations
 * are added, and the earlier start counts. The order of inputs does not matter. */
void brz_facts_reconcile(brz_facts *into, const brz_strings *strings, brz_facts *from,
                         const brz_strings *from_strings, bool adds);

/* Sorts comments and pairs by position. */
void brz_facts_sort(brz_facts *f);

/* Returns the fact about a subject that has a single value, or NULL if it is unknown. */
const brz_fact *brz_facts_find(const brz_facts *f, brz_fact_subject subject);

void brz_facts_finish(brz_facts *f);

#endif
