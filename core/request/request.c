/* SPDX-License-Identifier: MIT */
/* Collects the inputs, outputs, settings and transforms of a request. */
#include "request/request.h"

#include <stdlib.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

void brz_request_add_input(brz_request *r, brz_input input)
{
    r->inputs = brz_grow(r->inputs, r->n_inputs, &r->inputs_cap, sizeof input);
    r->inputs[r->n_inputs++] = input;
}

void brz_request_add_output(brz_request *r, brz_output_request output)
{
    r->outputs = brz_grow(r->outputs, r->n_outputs, &r->outputs_cap, sizeof output);
    r->outputs[r->n_outputs++] = output;
}

static void add_setting(brz_request *r, brz_setting setting)
{
    r->settings = brz_grow(r->settings, r->n_settings, &r->settings_cap, sizeof setting);
    r->settings[r->n_settings++] = setting;
}

bool brz_request_set_component(brz_request *r, brz_str option, const char *value,
                               const char *origin)
{
    bool for_guessed = option.len > 0 && option.data[0] == '*';
    bool if_there = for_guessed || (option.len > 0 && option.data[0] == '?');
    brz_str name = brz_str_of(option.data + if_there, option.len - if_there);
    const char *dot = name.len == 0 ? NULL : memchr(name.data, '.', name.len);
    if (dot == NULL || dot == name.data || dot + 1 == name.data + name.len)
        return false;
    size_t n = (size_t)(dot - name.data);
    brz_str key = brz_str_of(dot + 1, name.len - n - 1);
    add_setting(r,
                (brz_setting){.component = brz_arena_str(&r->texts, brz_str_of(name.data, n)).data,
                              .option = brz_arena_str(&r->texts, key).data,
                              .value = brz_request_keep(r, value),
                              .origin = brz_request_keep(r, origin),
                              .if_there = if_there,
                              .for_guessed = for_guessed});
    return true;
}

void brz_request_add_transform(brz_request *r, const brz_transform_request *transform)
{
    r->transforms = brz_grow(r->transforms, r->n_transforms, &r->transforms_cap, sizeof *transform);
    r->transforms[r->n_transforms++] = *transform;
}

const char *brz_request_keep(brz_request *r, const char *text)
{
    return text == NULL ? NULL : brz_arena_str(&r->texts, brz_str_of_text(text)).data;
}

const char *brz_request_from(const brz_request *r)
{
    return r->from != NULL ? r->from : r->otherwise_from;
}

bool brz_request_from_is_default(const brz_request *r)
{
    return r->from == NULL && r->otherwise_from != NULL;
}

void brz_request_finish(brz_request *r)
{
    free(r->inputs);
    free(r->outputs);
    free(r->settings);
    free(r->transforms);
    brz_arena_finish(&r->texts);
    *r = (brz_request){0};
}

/* Returns the number of processors that this process may use, or of all processors if that is
 * unknown. */
static long count_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

unsigned brz_request_threads(const brz_request *r)
{
    if (r->threads > 0)
        return (unsigned)r->threads;
    long n = count_processors();
    return n < 1 ? 1 : n > 64 ? 64 : (unsigned)n;
}
