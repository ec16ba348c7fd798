/* SPDX-License-Identifier: MIT */
/* Describes the nodes of call trees for d3-flame-graph. brazier writes "module", "file", "line" and
 * "libtype", too. */
#include "d3_tree.h"

#include <brazier/symbol.h>

#include "frame_kind.h"
#include "members.h"
#include "text.h"

enum { NAME, VALUE, MODULE, FILE_NAME, LINE, KIND, SHORT_NAME, SHORT_VALUE, SHORT_KIND };

static const char *const keys[] = {"name",    "value", "module", "file", "line",
                                   "libtype", "n",     "v",      "l",    NULL};
static const char *const children[] = {"children", "c", NULL};

/* Returns whether a name of the outermost node stands for the whole profile. */
static bool is_whole(brz_str name)
{
    static const char *const names[] = {"", "root", "all", "(root)", "[root]"};
    return BRZ_IS_AMONG(name, names);
}

static const brz_json_token *either(const brz_json_token *members, size_t one, size_t other)
{
    return &members[members[one].kind != BRZ_JSON_MORE ? one : other];
}

static void describe(void *instance, brz_ctx *ctx, const brz_json_token *members, bool is_root,
                     call_description *d)
{
    d3_tree *p = instance;
    const brz_json_token *name = either(members, NAME, SHORT_NAME);
    if (name->kind != BRZ_JSON_MORE && name->kind != BRZ_JSON_STRING)
        BRZ_WARN(ctx, "d3.name", name->text.data, name->text.len, "not a name: left out");
    d->frame.name = json_text_into(&p->name, ctx, name);
    d->frame.module = json_text_into(&p->module, ctx, &members[MODULE]);
    d->frame.file = json_text_into(&p->file, ctx, &members[FILE_NAME]);
    d->frame.line = members_number(&members[LINE], 0);
    json_set_kind(&d->frame, either(members, KIND, SHORT_KIND));
    d->value = *either(members, VALUE, SHORT_VALUE);
    if (is_root && is_whole(d->frame.name)) {
        d->role = CALL_WHOLE;
        d->frame.name = d->frame.name.len > 0 ? d->frame.name : BRZ_STR("root");
    }
}

static const call_format format = {.keys = keys, .children = children, .describe = describe};

void d3_tree_init(d3_tree *d, brz_ctx *ctx, call_values values)
{
    call_tree_init(&d->tree, ctx, &format, d, BRZ_STR("samples"), BRZ_STR("samples"));
    d->tree.values = values;
}
