/* SPDX-License-Identifier: MIT */
/* Checks the layout of the public structs on machines with 64-bit pointers, since compiled programs
 * rely on it. New members are appended together with new rows; existing rows never change. The test
 * succeeds if this file compiles. */
#include <brazier.h>

#if UINTPTR_MAX == UINT64_MAX

#define AT(type, member, offset)                                                                   \
    _Static_assert(offsetof(type, member) == (offset), #type "." #member " was moved")
/* Sizes may grow with the library's minor version: update them here. */
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type " has another size")

AT(brazier_diagnostic, severity, 4);
AT(brazier_diagnostic, code, 8);
AT(brazier_diagnostic, component, 16);
AT(brazier_diagnostic, input, 24);
AT(brazier_diagnostic, line, 32);
AT(brazier_diagnostic, column, 40);
AT(brazier_diagnostic, count, 48);
AT(brazier_diagnostic, nth, 56);
AT(brazier_diagnostic, message, 64);
AT(brazier_diagnostic, excerpt, 72);
AT(brazier_diagnostic, caret, 80);
AT(brazier_diagnostic, length, 88);
AT(brazier_diagnostic, kept, 96);
AT(brazier_diagnostic, byte, 104);
AT(brazier_diagnostic, records, 112);
AT(brazier_diagnostic, weighed, 120);
AT(brazier_diagnostic, weight, 128);
AT(brazier_diagnostic, decimals, 136);
SIZE(brazier_diagnostic, 144);

AT(brazier_session_options, flags, 4);
AT(brazier_session_options, verbosity, 8);
AT(brazier_session_options, config_file, 16);
AT(brazier_session_options, config_text, 24);
AT(brazier_session_options, plugin_files, 32);
AT(brazier_session_options, n_plugin_files, 40);
AT(brazier_session_options, plugin_dirs, 48);
AT(brazier_session_options, n_plugin_dirs, 56);
AT(brazier_session_options, on_diagnostic, 64);
AT(brazier_session_options, context, 72);
SIZE(brazier_session_options, 80);

AT(brazier_option, flags, 4);
AT(brazier_option, name, 8);
AT(brazier_option, type, 16);
AT(brazier_option, default_value, 24);
AT(brazier_option, help, 32);
AT(brazier_option, choices, 40);
AT(brazier_option, range, 48);
SIZE(brazier_option, 56);

AT(brazier_component, kind, 4);
AT(brazier_component, kind_name, 8);
AT(brazier_component, id, 16);
AT(brazier_component, plugin, 24);
AT(brazier_component, version, 32);
AT(brazier_component, summary, 40);
AT(brazier_component, help, 48);
AT(brazier_component, path, 56);
AT(brazier_component, found_in, 64);
AT(brazier_component, shadowed, 72);
AT(brazier_component, endings, 80);
AT(brazier_component, options, 88);
SIZE(brazier_component, 96);

AT(brazier_progress, input, 8);
AT(brazier_progress, bytes, 16);
AT(brazier_progress, total, 24);
SIZE(brazier_progress, 32);

AT(brazier_pipeline_options, flags, 4);
AT(brazier_pipeline_options, on_progress, 8);
AT(brazier_pipeline_options, context, 16);
SIZE(brazier_pipeline_options, 24);

#undef AT
#undef SIZE

#endif
