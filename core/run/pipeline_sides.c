/* Compares two ranges of time, of one input or of two. */
#include "run/plan.h"

#include <string.h>

static bool complain(const brz_pipeline *p, const char *what)
{
    brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "%s", what);
    return false;
}

/* Parses the range of a side. Returns false after reporting an error. */
static bool set_side(brz_pipeline *p, size_t side, const char *option, const char *text)
{
    brz_buf error = {0};
    bool good = brz_selection_set_time(&p->sides[side], brz_str_of(text, strlen(text)), &error);
    if (!good)
        brz_say_code(&p->session->console, BRZ_FATAL, BRZ_SAYS_PIPELINE, "%s: %s", option,
                     brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

/* Makes one input both sides; it is read twice. */
static bool use_twice(brz_pipeline *p)
{
    const brz_input *input = &p->inputs[0];
    if (input->kind == BRZ_INPUT_FILE && strcmp(input->name, "-") == 0)
        return complain(p, "standard input can be read only once: write it to a file to compare "
                           "two ranges of its time");
    p->inputs[1] = *input;
    p->inputs[1].inside = (brz_inside){0};
    p->n_inputs = 2;
    return true;
}

bool brz_pipeline_set_sides(brz_pipeline *p)
{
    const brz_request *r = p->request;
    if (r->before_range == NULL && r->after_range == NULL)
        return !r->compare || p->n_inputs != 1 || r->is_survey ||
               complain(p,
                        "diff compares two files, BEFORE and AFTER, or two ranges of time of one "
                        "file: --before FROM..TO --after FROM..TO");
    if (!r->compare)
        return complain(p,
                        "'before' and 'after' are ranges of time to compare: see 'brazier diff'");
    if (r->before_range == NULL || r->after_range == NULL)
        return complain(p, "a comparison needs both --before FROM..TO and --after FROM..TO");
    if (r->time_range != NULL)
        return complain(p, "--time-range does not go with --before and --after");
    return set_side(p, 0, "--before", r->before_range) &&
           set_side(p, 1, "--after", r->after_range) && (p->n_inputs == 2 || use_twice(p));
}
