/* The rules by which the caller of code in a module is found. */
#ifndef PERF_DATA_RULES_H
#define PERF_DATA_RULES_H

#include "recording.h"

#include "../../common/unwind/frame_rule.h"

/* Returns the position of the rules at an offset in the file of a module, given its number. */
uint32_t rules_find(recording *p, const unwind_machine *machine, uint32_t number, uint64_t offset);

/* Returns the rules of code in a module. The next call may move them. */
static inline const frame_rule *rules_at(recording *p, const unwind_machine *machine, known_code *k)
{
    if (k->rule == 0)
        k->rule = 1 + rules_find(p, machine, (uint32_t)(k->context >> KNOWN_MODULE), k->address);
    return &p->rules.items[k->rule - 1];
}

/* Releases what has been read. */
void rules_close(recording *p);

#endif
