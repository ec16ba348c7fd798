/* The clauses of the contract, by number: docs/plugin-abi.md has them with their reasons. */
#ifndef BRZ_CHECK_CLAUSES_H
#define BRZ_CHECK_CLAUSES_H

/* What BRZ-C<number> says. */
const char *check_clause(unsigned number);

#endif
