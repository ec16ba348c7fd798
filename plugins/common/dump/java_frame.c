/* SPDX-License-Identifier: MIT */
/* Parses Java's frames. */
#include "java_frame.h"

const char *const java_packages_choices[] = {"full", "short", "none", NULL};

bool java_frame_take_at(brz_str *line)
{
    brz_str rest = *line;
    if (dump_take_blanks(&rest) == 0 || !brz_str_take(&rest, "at "))
        return false;
    *line = brz_trim(rest);
    return line->len > 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the length of the packages in front of a name: up to the class. Packages of javacores end
 * with slashes, others with dots. The name of a hidden class has a slash, which is not the last. */
static size_t packages_length(brz_str name)
{
    size_t dots[2] = {0, 0}; /* after the last dot, and after the one before */
    size_t hidden = brz_str_find(name, BRZ_STR("$$Lambda"), 0);
    for (size_t i = 0; i < name.len && i < hidden; i++) {
        if (name.data[i] == '/') {
            dots[0] = dots[1] = i + 1;
        } else if (name.data[i] == '.') {
            dots[1] = dots[0];
            dots[0] = i + 1;
        }
    }
    return hidden == SIZE_MAX ? dots[1] : dots[0];
}

static bool is_separator(char c)
{
    return c == '.' || c == '/';
}

/* Writes a name whose packages are letters. */
static brz_str shorten(dump *d, brz_str name, size_t packages)
{
    size_t from = d->text.len;
    for (size_t i = 0; i < packages; i++)
        if (i == 0 || is_separator(name.data[i]) || is_separator(name.data[i - 1]))
            brz_text_append(&d->text, d->ctx, brz_str_of(name.data + i, 1));
    brz_text_append(&d->text, d->ctx, brz_str_from(name, packages));
    return brz_str_of(d->text.data + from, d->text.len - from);
}

static brz_str shown_name(dump *d, brz_str name, java_packages packages)
{
    if (packages == JAVA_PACKAGES_FULL)
        return name;
    size_t n = packages_length(name);
    return packages == JAVA_PACKAGES_NONE ? brz_str_from(name, n) : shorten(d, name, n);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Removes "java.base@17.0.15/" from the front of a place. */
static void take_module(brz_str *place, brz_frame_desc *frame)
{
    brz_str module, rest, version;
    if (!brz_cut_first(*place, '/', &module, &rest))
        return;
    *place = rest;
    brz_cut_first(module, '@', &module, &version);
    frame->module = module;
}

void java_frame_describe(dump *d, brz_str text, java_packages packages, brz_frame_desc *frame)
{
    brz_str name, place = brz_str_of(NULL, 0), tail;
    if (!brz_cut_first(text, '(', &name, &place))
        name = text;
    frame->name = shown_name(d, brz_trim(name), packages);
    frame->kind = BRZ_KIND_USER;
    brz_cut_first(place, ')', &place, &tail); /* loggers add the archive after it */
    if (brz_cut_first(place, '(', &place, &tail) && brz_starts_with(tail, BRZ_STR("Compiled")))
        frame->flags = BRZ_FRAME_JIT;
    take_module(&place, frame);
    if (memchr(place.data == NULL ? "" : place.data, '.', place.len) != NULL)
        dump_place(place, frame);
}
