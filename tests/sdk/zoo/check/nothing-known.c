/* SPDX-License-Identifier: MIT */
/* Contains only a component of a kind that this host does not know.
 *
 * only: static/load
 */
#include "animal.h"

static const brz_component component = {
    .struct_size = sizeof(brz_component), .kind = 77, .id = "zoo", .summary = "an animal"};
static const brz_component *const components[] = {&component, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
