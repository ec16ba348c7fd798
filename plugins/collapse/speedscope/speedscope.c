/* Collapses files of speedscope: profiles of samples or of events, which share their frames. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "file.h"
#include "../../common/shipped.h"
#include "profile.h"

static brz_rc open_instance(brz_ctx *ctx)
{
    speedscope *s = ctx->inst;
    brz_stacks_init(&s->stacks, ctx, BRZ_NESTED);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    speedscope *s = ctx->inst;
    *used = chunk->len;
    file_read(s, ctx, brz_str_of((const char *)chunk->data, chunk->len));
    brz_rc rc = file_declare(s, ctx);
    for (size_t i = 0; i < s->n_outlines && rc == BRZ_OK; i++)
        rc = profile_read(s, ctx, &s->outlines[i]);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    speedscope *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

/* ---- format detection ---------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"$schema", "shared.frames.name", "profiles.unit",
                                        "profiles.type", NULL};
    uint32_t found = cursor_paths(head, paths);
    brz_str text = brz_str_of((const char *)head->data, head->len);
    bool schema = (found & 1) != 0 &&
                  brz_str_find(text, BRZ_STR("speedscope.app/file-format-schema"), 0) != SIZE_MAX;
    if (schema || (found & 12) == 12)
        return BRZ_SNIFF_HEADER;
    return (found & 2) != 0 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.speedscope.json", "*.speedscope", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_WHOLE_INPUT,
    .inst_size = sizeof(speedscope),
    .globs = globs,
    .sniff = sniff,
    .open = open_instance,
    .parse = parse,
    .finish = finish,
};

SHIPPED_COLLAPSER(
    "speedscope",
    .summary = "files of speedscope, which py-spy, rbspy, austin and dotnet-trace also write",
    .help = "Profiles with the same unit are added up: a unit is a weight (--weight), a profile is "
            "a thread.")
