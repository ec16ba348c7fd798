/* Writes the output "speedscope": stacks and weights in speedscope's file format, with a profile
 * for each weight. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

typedef struct options {
    brz_str name;
} options;

/* State of one file being written. */
typedef struct file {
    brz_writer w;
    const brz_tree *tree;
} file;

static void put_frames(file *f)
{
    brz_writer *w = &f->w;
    BRZ_PUT(w, "\"shared\":{\"frames\":[");
    for (uint32_t i = 0; i < f->tree->n_frames && w->rc == BRZ_OK; i++) {
        const brz_frame_info *info = brz_frame_at(f->tree, i);
        brz_put_text(w, i > 0 ? ",\n{\"name\":" : "\n{\"name\":");
        brz_put_json(w, brz_display_name(info->name));
        if (info->file.len > 0 || info->module.len > 0) {
            BRZ_PUT(w, ",\"file\":");
            brz_put_json(w, info->file.len > 0 ? info->file : info->module);
        }
        if (info->line > 0) {
            BRZ_PUT(w, ",\"line\":");
            brz_put_u64(w, info->line);
        }
        brz_put_char(w, '}');
    }
    BRZ_PUT(w, "]}");
}

/* Returns speedscope's name for a unit, or "none" for other units. */
static const char *unit_word(brz_str unit)
{
    static const char *const known[] = {"nanoseconds", "microseconds", "milliseconds", "seconds",
                                        "bytes"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (brz_str_equal(unit, brz_str_of(known[i], strlen(known[i]))))
            return known[i];
    return "none";
}

static void put_samples(file *f, uint32_t weight)
{
    bool first = true;
    BRZ_PUT(&f->w, ",\n\"samples\":[");
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++) {
        const brz_stack_info *s = brz_stack_at(f->tree, i);
        if (s->values[weight] == 0)
            continue;
        brz_put_text(&f->w, first ? "\n[" : ",\n[");
        first = false;
        for (uint32_t k = 0; k < s->n; k++) {
            if (k > 0)
                brz_put_char(&f->w, ',');
            brz_put_u64(&f->w, s->frames[k]);
        }
        brz_put_char(&f->w, ']');
    }
    brz_put_char(&f->w, ']');
}

static void put_weights(file *f, uint32_t weight, uint32_t decimals)
{
    bool first = true;
    BRZ_PUT(&f->w, ",\n\"weights\":[");
    for (uint32_t i = 0; i < f->tree->n_stacks && f->w.rc == BRZ_OK; i++) {
        int64_t value = brz_stack_at(f->tree, i)->values[weight];
        if (value == 0)
            continue;
        if (!first)
            brz_put_char(&f->w, ',');
        first = false;
        brz_put_scaled(&f->w, value, decimals);
    }
    brz_put_char(&f->w, ']');
}

static void put_profile(file *f, uint32_t weight)
{
    const brz_weight_info *info = brz_weight_at(f->tree, weight);
    brz_put_text(&f->w, weight > 0 ? ",\n{\"type\":\"sampled\",\"name\":"
                                   : "\n{\"type\":\"sampled\",\"name\":");
    brz_put_json(&f->w, info->name);
    BRZ_PUT(&f->w, ",\"unit\":\"");
    brz_put_text(&f->w, unit_word(info->unit));
    BRZ_PUT(&f->w, "\",\"startValue\":0,\"endValue\":");
    brz_put_scaled(&f->w, info->total, info->decimals);
    put_samples(f, weight);
    put_weights(f, weight, info->decimals);
    brz_put_char(&f->w, '}');
}

static brz_rc write_speedscope(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    file f = {.tree = tree};
    const options *o = ctx->cfg;
    brz_writer_init(&f.w, ctx, sink);
    BRZ_PUT(&f.w, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":\"brazier@" BRZ_SHIPPED_VERSION "\",\n\"name\":");
    brz_put_json(&f.w, o->name);
    BRZ_PUT(&f.w, ",\n\"activeProfileIndex\":");
    brz_put_u64(&f.w, tree->weight);
    BRZ_PUT(&f.w, ",\n");
    put_frames(&f);
    BRZ_PUT(&f.w, ",\n\"profiles\":[");
    for (uint32_t i = 0; i < tree->n_weights; i++)
        put_profile(&f, i);
    BRZ_PUT(&f.w, "]}\n");
    return brz_writer_finish(&f.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile", "name of the profile in speedscope"),
};

static const char *const endings[] = {"speedscope.json", "speedscope", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS,
    .media_type = "application/json",
    .endings = endings,
    .write = write_speedscope,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "speedscope",
    .summary = "a profile for speedscope, with every weight of the input",
    BRZ_OPTIONS(option_table, options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("speedscope", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
