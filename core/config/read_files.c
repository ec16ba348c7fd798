/* SPDX-License-Identifier: MIT */
/* Files that a run reads besides its inputs. */
#include "config/read_files.h"

#include <stdlib.h>

#include "base/mem.h"

static void add(brz_read_files *f, const char *path, const char *option)
{
    f->files = brz_grow(f->files, f->n, &f->files_cap, sizeof *f->files);
    f->options = brz_grow(f->options, f->n, &f->options_cap, sizeof *f->options);
    f->files[f->n] = (brz_input){.kind = BRZ_INPUT_FILE, .name = path};
    f->options[f->n++] = option;
}

void brz_read_files_add_config(brz_read_files *f, const brz_config *c)
{
    const brz_yaml_file *file;
    for (size_t i = 0; (file = brz_config_file(c, i)) != NULL; i++)
        add(f, file->name, NULL);
}

void brz_read_files_add_use(brz_read_files *f, const brz_use *use)
{
    const brz_options *options = use->options;
    for (uint32_t i = 0; options != NULL && i < options->component->n_options; i++) {
        const brz_option *o = brz_option_at(options->component, i);
        const brz_option_value *v = &options->values[i];
        if (!(o->flags & BRZ_OPTION_PATH))
            continue;
        if (o->type != BRZ_OPTION_LIST && v->text.len > 0)
            add(f, v->text.data, o->name);
        for (size_t k = 0; k < v->n_items; k++)
            add(f, v->items[k].data, o->name);
    }
}

bool brz_read_files_find(brz_read_files *f, const char *path, brz_buf *role)
{
    f->places.inputs = f->files;
    f->places.n = f->n;
    const brz_input *found = brz_input_places_find(&f->places, path);
    if (found == NULL)
        return false;
    const char *option = f->options[found - f->files];
    if (option == NULL)
        brz_buf_add_text(role, "a configuration of the run");
    else
        brz_buf_printf(role, "the file of the option '%s'", option);
    return true;
}

void brz_read_files_finish(brz_read_files *f)
{
    brz_input_places_finish(&f->places);
    free(f->files);
    free(f->options);
}
