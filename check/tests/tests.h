/* SPDX-License-Identifier: MIT */
/* Declares the tests, by group; catalog.c lists them. */
#ifndef BRZ_CHECK_TESTS_H
#define BRZ_CHECK_TESTS_H

#include "check/contract/check.h"

void check_static_load(check *c);
void check_static_symbols(check *c);
void check_static_object(check *c);
void check_static_texts(check *c);
void check_static_options(check *c);
void check_static_validate(check *c);
void check_static_quick(check *c);
void check_static_confined(check *c);

void check_sniff_own(check *c);
void check_sniff_prefixes(check *c);
void check_sniff_foreign(check *c);
void check_sniff_quick(check *c);
void check_sniff_hints(check *c);

void check_parse_golden(check *c);
void check_parse_twice(check *c);
void check_parse_chunks(check *c);
void check_parse_last(check *c);
void check_parse_slack(check *c);
void check_parse_boundary(check *c);
void check_parse_splits(check *c);
void check_parse_threads(check *c);
void check_parse_ordered(check *c);
void check_parse_tags(check *c);
void check_parse_times(check *c);

void check_robust_truncated(check *c);
void check_robust_flips(check *c);
void check_robust_lines(check *c);
void check_robust_nuls(check *c);
void check_robust_long_line(check *c);
void check_robust_utf8(check *c);
void check_robust_crlf(check *c);
void check_robust_empty(check *c);
void check_robust_foreign(check *c);

void check_contract_descriptors(check *c);
void check_contract_threads(check *c);
void check_contract_process(check *c);
void check_contract_silence(check *c);
void check_contract_stop(check *c);
void check_contract_diag(check *c);
void check_contract_related(check *c);

void check_memory_leaks(check *c);
void check_memory_growth(check *c);

void check_threads_contexts(check *c);
void check_threads_globals(check *c);

void check_palette_pure(check *c);
void check_palette_depends(check *c);
void check_palette_odd(check *c);
void check_palette_legend(check *c);

void check_output_twice(check *c);
void check_output_well_formed(check *c);
void check_output_odd(check *c);
void check_output_sink(check *c);
void check_output_asked(check *c);

void check_transform_pure(check *c);
void check_transform_odd(check *c);

void check_forward_structs(check *c);
void check_forward_flags(check *c);
void check_forward_kinds(check *c);
void check_forward_strides(check *c);

#endif
