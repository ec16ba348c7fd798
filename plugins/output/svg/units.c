/* Defines readable units: nanoseconds as ms, bytes as MiB. */
#include <brazier/symbol.h>

#include "svg.h"

/* A unit of weights, and its size in the smallest unit of its kind. */
typedef struct known_unit {
    const char *name;
    double size;
} known_unit;

static const known_unit times[] = {
    {"nanoseconds", 1}, {"microseconds", 1e3}, {"milliseconds", 1e6}, {"seconds", 1e9}, {NULL, 0}};
static const known_unit sizes[] = {{"bytes", 1}, {"kilobytes", 1024}, {NULL, 0}};

static const svg_unit time_units[SVG_UNITS] = {
    {"ns", 1}, {"\302\265s", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
static const svg_unit size_units[SVG_UNITS] = {
    {"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};

static double size_of(brz_str unit, const known_unit *known)
{
    for (; known->name != NULL; known++)
        if (brz_str_equal(unit, brz_str_of(known->name, strlen(known->name))))
            return known->size;
    return 0;
}

void svg_choose_units(svg_picture *p)
{
    brz_str unit = brz_weight_at(p->tree, p->tree->weight)->unit;
    double time = size_of(unit, times), size = size_of(unit, sizes);
    double one = (time > 0 ? time : size) * p->options->factor / svg_steps(p->tree);
    if (p->options->unit != SVG_UNIT_AUTO || !(one > 0))
        return;
    for (size_t i = 0; i < SVG_UNITS; i++) {
        p->units[i] = time > 0 ? time_units[i] : size_units[i];
        p->units[i].size /= one;
    }
}

const svg_unit *svg_unit_of(const svg_picture *p, double weight)
{
    const svg_unit *unit = p->units;
    while (unit + 1 < p->units + SVG_UNITS && unit[1].name != NULL && weight >= unit[1].size)
        unit++;
    return unit;
}
