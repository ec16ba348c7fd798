/* SPDX-License-Identifier: MIT */
/* Sessions: configuration and diagnostics. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/version.h"
#include "config/formats.h"
#include "isolate/describe.h"

const char *brazier_version(void)
{
    return BRZ_VERSION;
}

/* Maximum size of structs; larger sizes are uninitialised ones. */
#define LARGEST 4096

bool brz_lib_take(void *own, size_t own_size, const void *theirs, size_t least)
{
    uint32_t size;
    const char *bytes = theirs;
    memset(own, 0, own_size);
    if (theirs == NULL)
        return true;
    memcpy(&size, theirs, sizeof size);
    if (size < least || size > LARGEST)
        return false;
    memcpy(own, theirs, size < own_size ? size : own_size);
    for (size_t i = own_size; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* ---- diagnostics --------------------------------------------------------------------------- */

/* Maximum number of kept warnings and notes. */
#define MOST_KEPT 1000

static const char *text_or_null(brz_str s)
{
    return s.len > 0 ? s.data : NULL;
}

/* Appends the name of a component, such as "collapse.perf". */
static void add_component(const brz_component *c, brz_buf *b)
{
    static const char *const kinds[] = {"", "collapse.", "palette.", "output.", "transform."};
    if (c != NULL)
        brz_buf_printf(b, "%s%s", kinds[c->kind <= BRZ_TRANSFORM ? c->kind : 0], c->id);
}

/* Returns a diagnostic whose texts belong to the notice and to `component`. */
static brazier_diagnostic diagnostic_of(const brz_notice *n, const brz_buf *component)
{
    bool is_summary = n->code != NULL && strcmp(n->code, BRZ_SAYS_LEFT_OUT) == 0;
    return (brazier_diagnostic){
        .struct_size = sizeof(brazier_diagnostic),
        .severity = n->severity,
        .code = n->code,
        .component = text_or_null(brz_buf_str(component)),
        .input = text_or_null(n->input),
        .line = n->line,
        .column = n->line > 0 ? n->column : 0,
        .count = n->nth > 0 ? n->total : n->count,
        .nth = n->nth,
        .message = n->msg.len > 0 ? n->msg.data : "",
        .excerpt = text_or_null(n->excerpt),
        .caret = n->excerpt.len > 0 ? n->caret : 0,
        .length = n->excerpt.len > 0 ? n->len : 0,
        .kept = n->kept,
        .byte = n->line > 0 ? 0 : n->byte,
        .records = is_summary ? n->left_out.records : 0,
        .weighed = is_summary ? n->left_out.weighed : 0,
        .weight = is_summary ? n->left_out.weight : 0,
        .decimals = is_summary ? n->left_out.decimals : 0,
    };
}

static const char *keep_text(brazier_session *s, const char *text)
{
    return text == NULL ? NULL : brz_arena_str(&s->texts, brz_str_of_text(text)).data;
}

static void keep(brazier_session *s, const brazier_diagnostic *d)
{
    if (s->n_diagnostics >= MOST_KEPT && d->severity != BRAZIER_ERROR)
        return;
    brazier_diagnostic *copy = brz_arena_alloc(&s->texts, sizeof *copy, 0);
    *copy = *d;
    copy->code = keep_text(s, d->code);
    copy->component = keep_text(s, d->component);
    copy->input = keep_text(s, d->input);
    copy->message = keep_text(s, d->message);
    copy->excerpt = keep_text(s, d->excerpt);
    s->diagnostics =
        brz_grow(s->diagnostics, s->n_diagnostics, &s->diagnostics_cap, sizeof *s->diagnostics);
    s->diagnostics[s->n_diagnostics++] = copy;
}

static void take_notice(void *to, const brz_notice *n)
{
    brazier_session *s = to;
    brz_buf component = {0};
    add_component(n->component, &component);
    brazier_diagnostic d = diagnostic_of(n, &component);
    pthread_mutex_lock(&s->lock);
    if (s->on_diagnostic != NULL)
        s->on_diagnostic(s->context, &d);
    else
        keep(s, &d);
    pthread_mutex_unlock(&s->lock);
    brz_buf_finish(&component);
}

const brazier_diagnostic *brazier_session_diagnostic(const brazier_session *session, size_t i)
{
    return i < session->n_diagnostics ? session->diagnostics[i] : NULL;
}

void brazier_session_forget_diagnostics(brazier_session *session)
{
    brz_arena_finish(&session->texts);
    session->n_diagnostics = 0;
}

static brz_str str_or_empty(const char *text)
{
    return text == NULL ? BRZ_STR("") : brz_str_of_text(text);
}

size_t brazier_diagnostic_text(const brazier_diagnostic *diagnostic, int verbosity, int color,
                               char *to, size_t size)
{
    brazier_diagnostic d;
    brz_buf b = {0};
    brz_component component = {.id = NULL};
    brz_lib_take(&d, sizeof d, diagnostic, sizeof d.struct_size);
    const char *dot = d.component == NULL ? NULL : strchr(d.component, '.');
    component.id = dot == NULL ? d.component : dot + 1;
    brz_notice n = {
        .severity = d.severity,
        .msg = str_or_empty(d.message),
        .line = d.line,
        .column = d.column,
        .byte = d.byte,
        .nth = d.nth,
        .total = d.count,
        .kept = d.kept,
        .input = str_or_empty(d.input),
        .excerpt = str_or_empty(d.excerpt),
        .component = d.component == NULL ? NULL : &component,
    };
    n.caret = d.caret < n.excerpt.len ? d.caret : n.excerpt.len;
    n.len = d.length < n.excerpt.len - n.caret ? d.length : n.excerpt.len - n.caret;
    brz_notice_print(&n, verbosity, color != 0, &b);
    size_t len = b.len;
    if (size > 0) {
        size_t fits = len < size - 1 ? len : size - 1;
        memcpy(to, brz_buf_text(&b), fits);
        to[fits] = '\0';
    }
    brz_buf_finish(&b);
    return len;
}

/* ---- opening and closing ------------------------------------------------------------------- */

#define KNOWN_FLAGS                                                                                \
    (BRAZIER_FIND_CONFIG | BRAZIER_TRUST_CONFIG | BRAZIER_SHIPPED_ONLY | BRAZIER_DISTRUST_CONFIG | \
     BRAZIER_KEEP_MISTAKES)

static brazier_status open_core(brazier_session *s, const brazier_session_options *o)
{
    const brz_registry_options registry = {
        .files = o->plugin_files,
        .n_files = o->n_plugin_files,
        .dirs = o->plugin_dirs,
        .n_dirs = o->n_plugin_dirs,
        .shipped_only = (o->flags & BRAZIER_SHIPPED_ONLY) != 0,
        .describe = brz_describe_plugins,
    };
    const brz_config_options config = {
        .file = o->config_file,
        .text = o->config_text,
        .none = (o->flags & BRAZIER_FIND_CONFIG) == 0,
        .distrust = (o->flags & BRAZIER_DISTRUST_CONFIG) != 0,
        .trust = (o->flags & BRAZIER_TRUST_CONFIG) != 0,
        .keeps_mistakes = (o->flags & BRAZIER_KEEP_MISTAKES) != 0,
    };
    s->core.registry = brz_registry_create(&registry, &s->core.console);
    s->core.config = brz_config_load(&config, s->core.registry, &s->core.console);
    if (s->core.config != NULL)
        s->core.formats = brz_formats_create(&s->core);
    return s->core.config != NULL ? BRAZIER_OK : BRAZIER_MISUSED;
}

brazier_status brazier_session_open(const brazier_session_options *options,
                                    brazier_session **session)
{
    brazier_session_options o;
    brazier_session *s = *session = brz_calloc(1, sizeof *s);
    bool good = brz_lib_take(&o, sizeof o, options, offsetof(brazier_session_options, context));
    pthread_mutex_init(&s->lock, NULL);
    s->on_diagnostic = o.on_diagnostic;
    s->context = o.context;
    s->core.console.report = take_notice;
    s->core.console.to = s;
    s->core.console.verbosity = o.verbosity;
    if (good && (o.flags & ~KNOWN_FLAGS) == 0)
        return open_core(s, &o);
    BRZ_MISUSE(s, "session options: not those of libbrazier %s", BRZ_VERSION);
    return BRAZIER_MISUSED;
}

void brazier_session_close(brazier_session *session)
{
    if (session == NULL)
        return;
    brz_formats_destroy(session->core.formats);
    brz_config_destroy(session->core.config);
    brz_registry_destroy(session->core.registry);
    brz_arena_finish(&session->memory);
    brz_arena_finish(&session->texts);
    free(session->diagnostics);
    pthread_mutex_destroy(&session->lock);
    free(session);
}
