/* SPDX-License-Identifier: MIT */
/* Writes a page that contains the whole profile and a script that draws it. */
#include "document.h"

#include "assets.h"

/* indexed by html_theme */
const char *const html_themes[] = {"auto", "light", "dark", NULL};

/* indexed by html_order */
const char *const html_orders[] = {"auto", "name", "weight", NULL};

/* Writes the page's head. The security policy allows nothing but the page's own content: no name in
 * a profile can make the browser contact a server. */
static void put_head(html_page *p)
{
    const html_options *o = p->options;
    BRZ_PUT(&p->w, "<!DOCTYPE html>\n<html lang=\"en\" data-theme=\"");
    brz_put_text(&p->w, html_themes[o->theme]);
    if (o->order != HTML_ORDER_AUTO) {
        BRZ_PUT(&p->w, "\" data-sort=\"");
        brz_put_text(&p->w, html_orders[o->order]);
    }
    BRZ_PUT(&p->w, "\" data-view=\"");
    if (p->tree->starts != NULL)
        brz_put_text(&p->w, o->inverted ? "time\" data-inverted>\n" : "time\">\n");
    else
        brz_put_text(&p->w, o->inverted ? "icicle\">\n" : "flame\">\n");
    BRZ_PUT(&p->w, "<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                   "script-src 'unsafe-inline'; worker-src blob:; style-src 'unsafe-inline'; "
                   "img-src data:\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"generator\" content=\"brazier@" BRZ_SHIPPED_VERSION "\">\n"
                   "<link rel=\"icon\" href=\"data:,\">\n<title>");
    html_put_escaped(&p->w, html_title(p));
    BRZ_PUT(&p->w, "</title>\n<style>\n");
    brz_put(&p->w, (const char *)html_style, html_style_size);
    BRZ_PUT(&p->w, "</style>\n<noscript><style>#fallback { animation: none; }</style></noscript>\n"
                   "</head>\n");
}

brz_rc html_write_with(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink,
                       html_put_more *more)
{
    html_page p = {.ctx = ctx, .options = ctx->cfg, .tree = tree};
    brz_writer_init(&p.w, ctx, sink);
    texts_init(&p.texts, ctx);
    texts_add(&p.texts, BRZ_STR(""));
    put_head(&p);
    BRZ_PUT(&p.w, "<body>\n");
    html_put_fallback(&p);
    BRZ_PUT(&p.w, "<script type=\"application/json\" id=\"profile\">\n");
    html_put_data(&p, more);
    BRZ_PUT(&p.w, "\n</script>\n<script>\n\"use strict\";\n(() => {\n");
    brz_put(&p.w, (const char *)html_script, html_script_size);
    BRZ_PUT(&p.w, "})();\n</script>\n</body>\n</html>\n");
    return brz_writer_finish(&p.w);
}

brz_rc html_write(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return html_write_with(ctx, tree, sink, NULL);
}
