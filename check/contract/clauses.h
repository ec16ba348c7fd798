/* SPDX-License-Identifier: MIT */
/* The clauses of the contract, by number; docs/plugin-abi.md gives their reasons. */
#ifndef BRZ_CHECK_CLAUSES_H
#define BRZ_CHECK_CLAUSES_H

/* Returns the text of BRZ-C<number>. */
const char *check_clause(unsigned number);

#endif
