/* Writes the output "firefox": a processed profile of the Firefox Profiler, version 66 of its
 * format.
 *
 * Tables are stored as columns of equal length: stacks refer to stacks and frames, frames to
 * functions, functions to libraries (through resources), sources and strings. There is a thread for
 * each weight, and all threads share the tables. Stack i is call i + 1 of the call tree, and its
 * prefixOffset is the distance back to its caller, 0 for a root.
 *
 * The profiler upgrades profiles of older format versions when it reads them.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "common/axis.h"
#include "common/calls.h"
#include "common/frame_kind.h"
#include "common/functions.h"

#define MILLISECONDS 3

typedef struct options {
    brz_str name;
} options;

/* State of one profile being written. */
typedef struct profile {
    brz_writer w;
    const options *options;
    const brz_tree *tree;
    calls calls;
    functions functions;
    keys modules, files; /* texts, in the order in which functions first refer to them */
    uint32_t weight;     /* the weight whose samples are being written */
    bool first;          /* nothing of the current column has been written yet */
    axis axis;
} profile;

/* ---- columns ------------------------------------------------------------------------------- */

/* Writes the value of row i of a column. */
typedef void put_value(profile *p, uint32_t i);

/* Writes "name":[value, …]. */
static void put_column(profile *p, const char *name, uint32_t n, put_value *value)
{
    brz_put_char(&p->w, '"');
    brz_put_text(&p->w, name);
    BRZ_PUT(&p->w, "\":[");
    for (uint32_t i = 0; i < n && p->w.rc == BRZ_OK; i++) {
        if (i > 0)
            brz_put_char(&p->w, ',');
        value(p, i);
    }
    BRZ_PUT(&p->w, "],\n");
}

static void put_length(profile *p, uint32_t n)
{
    BRZ_PUT(&p->w, "\"length\":");
    brz_put_u64(&p->w, n);
    brz_put_char(&p->w, '}');
}

static void put_zero(profile *p, uint32_t i)
{
    (void)i;
    brz_put_char(&p->w, '0');
}

static void put_one(profile *p, uint32_t i)
{
    (void)i;
    brz_put_char(&p->w, '1');
}

static void put_minus_one(profile *p, uint32_t i)
{
    (void)i;
    BRZ_PUT(&p->w, "-1");
}

static void put_null(profile *p, uint32_t i)
{
    (void)i;
    BRZ_PUT(&p->w, "null");
}

static void put_false(profile *p, uint32_t i)
{
    (void)i;
    BRZ_PUT(&p->w, "false");
}

/* ---- tables -------------------------------------------------------------------------------- */

static void put_stack_frame(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->calls.items[i + 1].frame);
}

static void put_prefix_offset(profile *p, uint32_t i)
{
    uint32_t parent = p->calls.items[i + 1].parent;
    brz_put_u64(&p->w, parent == 0 ? 0 : i + 1 - parent);
}

static void put_stack_table(profile *p)
{
    uint32_t n = p->calls.n - 1;
    BRZ_PUT(&p->w, "\"stackTable\":{");
    put_column(p, "frame", n, put_stack_frame);
    put_column(p, "prefixOffset", n, put_prefix_offset);
    put_length(p, n);
}

/* Writes the category of a frame; unknown kinds belong to the first category. */
static void put_category(profile *p, uint32_t i)
{
    const brz_frame_info *f = brz_frame_at(p->tree, i);
    brz_put_u64(&p->w, brz_frame_category(f->kind, f->flags));
}

static void put_frame_function(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->functions.of_frame[i]);
}

static void put_frame_line(profile *p, uint32_t i)
{
    uint32_t line = brz_frame_at(p->tree, i)->line;
    if (line > 0)
        brz_put_u64(&p->w, line);
    else
        put_null(p, i);
}

static void put_frame_table(profile *p)
{
    uint32_t n = p->functions.n > 0 ? p->tree->n_frames : 0;
    BRZ_PUT(&p->w, ",\n\"frameTable\":{");
    put_column(p, "address", n, put_minus_one);
    put_column(p, "inlineDepth", n, put_zero);
    put_column(p, "category", n, put_category);
    put_column(p, "subcategory", n, put_zero);
    put_column(p, "func", n, put_frame_function);
    put_column(p, "nativeSymbol", n, put_null);
    put_column(p, "innerWindowID", n, put_null);
    put_column(p, "line", n, put_frame_line);
    put_column(p, "column", n, put_null);
    put_column(p, "originalLocation", n, put_null);
    put_length(p, n);
}

static void put_function_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->functions.items[i].name);
}

static void put_function_resource(profile *p, uint32_t i)
{
    uint32_t module = p->functions.items[i].module;
    if (module == 0)
        put_minus_one(p, i);
    else
        brz_put_u64(&p->w, keys_add(&p->modules, module));
}

static void put_function_source(profile *p, uint32_t i)
{
    uint32_t file = p->functions.items[i].file;
    if (file == 0)
        put_null(p, i);
    else
        brz_put_u64(&p->w, keys_add(&p->files, file));
}

static void put_function_table(profile *p)
{
    uint32_t n = p->functions.n;
    BRZ_PUT(&p->w, ",\n\"funcTable\":{");
    put_column(p, "name", n, put_function_name);
    put_column(p, "isJS", n, put_false);
    put_column(p, "relevantForJS", n, put_false);
    put_column(p, "resource", n, put_function_resource);
    put_column(p, "source", n, put_function_source);
    put_column(p, "lineNumber", n, put_null);
    put_column(p, "columnNumber", n, put_null);
    put_column(p, "originalLocation", n, put_null);
    put_length(p, n);
}

static void put_number(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, i);
}

static void put_module_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->modules.items[i]);
}

static void put_file_name(profile *p, uint32_t i)
{
    brz_put_u64(&p->w, p->files.items[i]);
}

/* Writes the resource table. A resource of type 1 is a library and has the same number as its
 * library in `libs`. */
static void put_resource_table(profile *p)
{
    uint32_t n = p->modules.n;
    BRZ_PUT(&p->w, ",\n\"resourceTable\":{");
    put_column(p, "lib", n, put_number);
    put_column(p, "name", n, put_module_name);
    put_column(p, "host", n, put_null);
    put_column(p, "type", n, put_one);
    put_length(p, n);
}

static void put_source_table(profile *p)
{
    uint32_t n = p->files.n;
    BRZ_PUT(&p->w, ",\n\"sources\":{");
    put_column(p, "id", n, put_null);
    put_column(p, "filename", n, put_file_name);
    put_column(p, "startLine", n, put_one);
    put_column(p, "startColumn", n, put_one);
    put_column(p, "sourceMapURL", n, put_null);
    put_column(p, "content", n, put_null);
    put_length(p, n);
}

static void put_text(profile *p, uint32_t i)
{
    brz_put_json(&p->w, p->functions.texts.items[i]);
}

/* Writes the tables shared by all threads. Functions come before resources and sources, since
 * writing them numbers both. */
static void put_shared(profile *p)
{
    BRZ_PUT(&p->w, "\"shared\":{");
    put_column(p, "stringArray", p->functions.texts.n, put_text);
    put_stack_table(p);
    put_frame_table(p);
    put_function_table(p);
    put_resource_table(p);
    put_source_table(p);
    BRZ_PUT(&p->w, ",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
                   "\"functionSize\":[],\"length\":0},\n"
                   "\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],"
                   "\"length\":0}}");
}

static void put_libraries(profile *p)
{
    BRZ_PUT(&p->w, ",\n\"libs\":[");
    for (uint32_t i = 0; i < p->modules.n; i++) {
        static const char *const keys_of_name[] = {
            "\"name\":", ",\"path\":", ",\"debugName\":", ",\"debugPath\":"};
        brz_str name = p->functions.texts.items[p->modules.items[i]];
        brz_put_text(&p->w, i > 0 ? ",\n{" : "\n{");
        for (size_t k = 0; k < BRZ_COUNT_OF(keys_of_name); k++) {
            brz_put_text(&p->w, keys_of_name[k]);
            brz_put_json(&p->w, name);
        }
        BRZ_PUT(&p->w, ",\"breakpadId\":\"\",\"codeId\":null,\"arch\":null}");
    }
    brz_put_char(&p->w, ']');
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Returns the profiler's display type for a weight. */
static const char *weight_type(const brz_weight_info *info)
{
    if (axis_is_time(info->unit))
        return "tracing-ms";
    return brz_str_equal(info->unit, BRZ_STR("bytes")) ? "bytes" : "samples";
}

static int64_t sample_value(const profile *p, uint32_t at)
{
    return call_self(&p->calls, at, p->weight);
}

/* Writes the separator before a value of a column. Returns false if the call has no samples. */
static bool begin_sample(profile *p, uint32_t at)
{
    if (sample_value(p, at) == 0)
        return false;
    if (!p->first)
        brz_put_char(&p->w, ',');
    p->first = false;
    return true;
}

static void put_sample_stacks(profile *p)
{
    BRZ_PUT(&p->w, "\"stack\":[");
    p->first = true;
    for (uint32_t i = 0; i < p->calls.n && p->w.rc == BRZ_OK; i++)
        if (begin_sample(p, i)) {
            if (i == 0)
                put_null(p, i);
            else
                brz_put_u64(&p->w, i - 1);
        }
}

static void put_sample_weights(profile *p)
{
    BRZ_PUT(&p->w, "],\n\"weight\":[");
    p->first = true;
    for (uint32_t i = 0; i < p->calls.n && p->w.rc == BRZ_OK; i++)
        if (begin_sample(p, i)) {
            int64_t value = sample_value(p, i);
            if (value < 0)
                brz_put_char(&p->w, '-');
            put_on_axis(&p->w, p->axis, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
        }
}

/* Writes the samples' times: each sample lasts as long as its weight, and the next one follows it.
 * Returns the number of samples. */
static uint32_t put_sample_times(profile *p)
{
    uint64_t now = 0;
    uint32_t n = 0;
    BRZ_PUT(&p->w, "],\n\"time\":[");
    p->first = true;
    for (uint32_t i = 0; i < p->calls.n && p->w.rc == BRZ_OK; i++)
        if (begin_sample(p, i)) {
            put_on_axis(&p->w, p->axis, now);
            now += axis_length(sample_value(p, i));
            n++;
        }
    brz_put_char(&p->w, ']');
    return n;
}

static void put_samples(profile *p)
{
    const brz_weight_info *info = brz_weight_at(p->tree, p->weight);
    p->axis = (axis){-(int32_t)info->decimals};
    if (axis_is_time(info->unit))
        p->axis = axis_of(info, 0, MILLISECONDS);
    BRZ_PUT(&p->w, "\"samples\":{\"weightType\":\"");
    brz_put_text(&p->w, weight_type(info));
    BRZ_PUT(&p->w, "\",\n");
    put_sample_stacks(p);
    put_sample_weights(p);
    uint32_t n = put_sample_times(p);
    brz_put_char(&p->w, ',');
    put_length(p, n);
}

static void put_thread(profile *p, uint32_t weight)
{
    p->weight = weight;
    BRZ_PUT(&p->w, "\n{\"name\":");
    brz_put_json(&p->w, brz_weight_at(p->tree, weight)->name);
    BRZ_PUT(&p->w, ",\"processName\":");
    brz_put_json(&p->w, p->options->name);
    BRZ_PUT(&p->w, ",\"pid\":\"1\",\"tid\":");
    brz_put_u64(&p->w, weight + 1);
    brz_put_text(&p->w,
                 weight == p->tree->weight ? ",\"isMainThread\":true" : ",\"isMainThread\":false");
    BRZ_PUT(&p->w, ",\"processType\":\"default\",\"processStartupTime\":0,"
                   "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
                   "\"pausedRanges\":[],\"showMarkersInTimeline\":false,\n"
                   "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],"
                   "\"phase\":[],\"category\":[],\"length\":0},\n");
    put_samples(p);
    brz_put_char(&p->w, '}');
}

/* Writes the categories: the frame kinds in their order. */
static void put_categories(profile *p)
{
    static const char *const colors[FRAME_KINDS] = {"grey",  "darkgrey", "yellow", "orange",
                                                    "green", "blue",     "magenta"};
    BRZ_PUT(&p->w, ",\n\"categories\":[");
    for (uint32_t kind = 0; kind < FRAME_KINDS; kind++) {
        brz_put_text(&p->w, kind > 0 ? ",{\"name\":" : "{\"name\":");
        brz_put_json(&p->w, kind > 0 ? frame_kind_word(kind) : BRZ_STR("other"));
        BRZ_PUT(&p->w, ",\"color\":\"");
        brz_put_text(&p->w, colors[kind]);
        BRZ_PUT(&p->w, "\",\"subcategories\":[\"Other\"]}");
    }
    brz_put_char(&p->w, ']');
}

static void put_meta(profile *p)
{
    BRZ_PUT(&p->w, "{\"meta\":{\"product\":");
    brz_put_json(&p->w, p->options->name);
    BRZ_PUT(&p->w, ",\"version\":24,\"preprocessedProfileVersion\":66,\n"
                   "\"importedFrom\":\"brazier@" BRZ_SHIPPED_VERSION "\","
                   "\"interval\":1,\"startTime\":0,\"processType\":0,\"stackwalk\":1,"
                   "\"debug\":false,\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
                   "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,\n"
                   "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
                   "\"threadCPUDelta\":\"\xc2\xb5s\"},\n"
                   "\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
                   "\"markerSchema\":[],\"initialSelectedThreads\":[");
    brz_put_u64(&p->w, p->tree->weight);
    BRZ_PUT(&p->w, "],\"initialVisibleThreads\":[");
    for (uint32_t w = 0; w < p->tree->n_weights; w++) {
        if (w > 0)
            brz_put_char(&p->w, ',');
        brz_put_u64(&p->w, w);
    }
    brz_put_char(&p->w, ']');
    put_categories(p);
    BRZ_PUT(&p->w, "},\n");
}

static brz_rc write_firefox(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    profile p = {.options = ctx->cfg, .tree = tree};
    calls_init(&p.calls, ctx, tree, CALLS_SIGNED);
    functions_init(&p.functions, ctx, tree, FUNCTIONS_BY_ORIGIN);
    keys_init(&p.modules, ctx);
    keys_init(&p.files, ctx);
    brz_writer_init(&p.w, ctx, sink);
    put_meta(&p);
    put_shared(&p);
    put_libraries(&p);
    BRZ_PUT(&p.w, ",\n\"pages\":[],\"threads\":[");
    for (uint32_t w = 0; w < tree->n_weights; w++) {
        if (w > 0)
            brz_put_char(&p.w, ',');
        put_thread(&p, w);
    }
    BRZ_PUT(&p.w, "]}\n");
    return brz_writer_finish(&p.w);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "name", STR, name, "profile", "name of the process in the profiler"),
};

static const char *const endings[] = {"firefox.json", "firefox", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS,
    .media_type = "application/json",
    .endings = endings,
    .write = write_firefox,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "firefox",
    .summary = "a profile for the Firefox Profiler, with every weight of the input",
    BRZ_OPTIONS(option_table, options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("firefox", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
