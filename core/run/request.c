/* Collects the inputs, outputs, settings and transforms of a request. */
#include "run/request.h"

#include <stdlib.h>
#include <string.h>

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

void brz_request_add_setting(brz_request *r, brz_setting setting)
{
    r->settings = brz_grow(r->settings, r->n_settings, &r->settings_cap, sizeof setting);
    r->settings[r->n_settings++] = setting;
}

void brz_request_add_transform(brz_request *r, const brz_transform_request *transform)
{
    r->transforms = brz_grow(r->transforms, r->n_transforms, &r->transforms_cap, sizeof *transform);
    r->transforms[r->n_transforms++] = *transform;
}

const char *brz_request_keep(brz_request *r, const char *text)
{
    return text == NULL ? NULL : brz_arena_str(&r->texts, brz_str_of(text, strlen(text))).data;
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
