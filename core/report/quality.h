/* SPDX-License-Identifier: MIT */
/* Reports how good a profile is: what its recording lacks, with the remedy.
 *
 * Collapsers report findings as diagnostics without a position, whose code begins with "quality.":
 * "quality.lost". The message states the finding, then ": " and the remedy. A code with another
 * part, such as "quality.unknown.file", is a detail of the finding "quality.unknown": its message
 * begins with what it is about, such as a path, and ": ". docs/quality.md has a section per
 * finding.
 */
#ifndef BRZ_QUALITY_H
#define BRZ_QUALITY_H

#include "base/diag.h"

/* The forms of the report. */
typedef enum brz_quality {
    BRZ_QUALITY_EACH, /* a message per finding */
    BRZ_QUALITY_LINE, /* one line, if there is a finding */
    BRZ_QUALITY_TEXT, /* all findings with their details */
    BRZ_QUALITY_JSON, /* the same, on a line of its own */
} brz_quality;

/* Reports the findings among sorted notices. Returns the code of the first one, which helps most,
 * or NULL. `sysroot` is the folder with the recorded machine's files, or NULL: packages of files
 * are looked up there. `names_inputs` says that there are several inputs: findings name theirs. */
const char *brz_quality_report(brz_console *c, const brz_notices *r, brz_quality how,
                               const char *sysroot, bool names_inputs);

/* Appends the text of the findings that are reported in one line, if any. */
void brz_quality_add_findings(brz_buf *b, const brz_notices *r, bool names_inputs);

#endif
