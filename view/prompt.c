/* SPDX-License-Identifier: MIT */
/* A line of input below the picture. */
#include "view/prompt.h"

#include "view/text.h"

#define CONTROL_U 0x15

void view_prompt_open(viewer *v, view_prompt prompt)
{
    v->prompt = prompt;
    brz_buf_clear(&v->input);
}

static void close_prompt(viewer *v)
{
    v->prompt = VIEW_PROMPT_NONE;
}

static void search(viewer *v)
{
    brz_str expression = brz_str_of(v->input.data, v->input.len);
    if (expression.len == 0)
        view_search_clear(&v->search);
    else
        view_search_start(&v->search, v->places.now.pane.graph, expression, &v->message);
}

static void remove_last(viewer *v)
{
    if (v->input.len == 0)
        close_prompt(v);
    else
        v->input.len = view_text_without_last(v->input.data, v->input.len);
}

static void type(viewer *v, uint32_t key)
{
    char bytes[4];
    if (key >= ' ' && key < VIEW_KEY_UP)
        brz_buf_add(&v->input, bytes, view_text_encode(bytes, (wchar_t)key));
}

void view_prompt_key(viewer *v, uint32_t key)
{
    switch (key) {
    case VIEW_KEY_ENTER:
        close_prompt(v);
        search(v);
        break;
    case VIEW_KEY_ESCAPE:
        close_prompt(v);
        break;
    case VIEW_KEY_BACKSPACE:
        remove_last(v);
        break;
    case CONTROL_U:
        brz_buf_clear(&v->input);
        break;
    default:
        type(v, key);
    }
}
