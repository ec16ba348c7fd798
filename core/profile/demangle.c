/* Demangles symbol names; those of Rust and C++ with libiberty.
 *
 * A few hundred bytes of a hostile name can expand to gigabytes. The output is therefore received
 * piece by piece, and demangling is abandoned by longjmp when it becomes too long. libiberty's
 * functions with a callback hold no memory that this could leak.
 */
#include "profile/demangle.h"

#include <setjmp.h>
#include <string.h>

#include "base/built_with.h"
#include "base/suggest.h"
#include "base/text.h"
#include "profile/demangle_ocaml.h"

#if BRZ_HAVE_LIBIBERTY
#include <demangle.h>
#endif

#define LONGEST_MANGLED   ((size_t)8192)
#define LONGEST_DEMANGLED ((size_t)65536)

/* The words of the modes, by mode. */
static const char *const words[] = {"auto", "full", "none"};

const char *brz_demangle_mode_name(brz_demangle_mode mode)
{
    return words[mode];
}

bool brz_demangle_mode_of(brz_str word, brz_demangle_mode *mode, brz_buf *error)
{
    brz_suggestion near = {.typed = word};
    for (unsigned i = 0; i < 3; i++) {
        *mode = (brz_demangle_mode)i;
        if (brz_str_is(word, words[i]))
            return true;
        brz_suggestion_offer(&near, words[i]);
    }
    brz_buf_printf(error, "'demangle' must be auto, full or none, not '%.*s'", (int)word.len,
                   word.data);
    brz_suggestion_add(&near, error);
    return false;
}

/* ---- finding the mangled part --------------------------------------------------------------- */

static const char *start_of(brz_str name)
{
    const char *tick = name.len == 0 ? NULL : memchr(name.data, '`', name.len);
    return tick == NULL ? name.data : tick + 1;
}

bool brz_may_be_mangled(brz_str name)
{
    const char *s = start_of(name), *end = name.data + name.len;
    if (brz_may_be_ocaml(brz_str_of(s, (size_t)(end - s))))
        return true;
    while (s < end && *s == '_' && end - s > 1 && s[1] == '_')
        s++;
    return end - s > 3 && s[0] == '_' && (s[1] == 'Z' || s[1] == 'R');
}

static const char *end_of(const char *start, brz_str name)
{
    const char *end = name.data + name.len, *at = memchr(start, '@', (size_t)(end - start));
    if (at != NULL)
        return at;
    if (end - start > 4 && end[-1] == ']' && end[-3] == '[' && end[-4] == '_')
        return end - 4;
    return end;
}

/* Truncates the buffer to `len` bytes. */
static void cut(brz_buf *b, size_t len)
{
    b->len = len;
    if (b->data != NULL)
        b->data[len] = '\0';
}

/* ---- demangling ----------------------------------------------------------------------------- */

#if BRZ_HAVE_LIBIBERTY

typedef struct collector {
    brz_buf *out;
    size_t start;
    jmp_buf too_long;
} collector;

static void take_piece(const char *piece, size_t n, void *arg)
{
    collector *a = arg;
    if (a->out->len - a->start + n > LONGEST_DEMANGLED)
        longjmp(a->too_long, 1);
    brz_buf_add(a->out, piece, n);
}

static int run_demangler(const char *mangled, int options, collector *a)
{
    if (setjmp(a->too_long) != 0)
        return 0;
    if (rust_demangle_callback(mangled, options, take_piece, a))
        return 1;
    cut(a->out, a->start);
    return cplus_demangle_v3_callback(mangled, options, take_piece, a);
}

/* Demangles a name. Skips the additional "_" of names in Mach-O files. */
static bool demangle(const char *mangled, brz_demangle_mode mode, brz_buf *out)
{
    collector a = {.out = out, .start = out->len};
    int options = mode == BRZ_DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI | DMGL_VERBOSE : 0;
    while (mangled[0] == '_' && mangled[1] == '_')
        mangled++;
    if (run_demangler(mangled, options, &a) && out->len > a.start)
        return true;
    cut(out, a.start);
    return false;
}

#else

static bool demangle(const char *mangled, brz_demangle_mode mode, brz_buf *out)
{
    (void)mangled;
    (void)mode;
    (void)out;
    return false;
}

#endif

/* Appends the demangled form of a name without the text around it. */
static bool demangle_part(brz_str name, brz_demangle_mode mode, brz_buf *out)
{
    char mangled[LONGEST_MANGLED + 1];
    if (brz_may_be_ocaml(name))
        return brz_ocaml_demangle(name, out);
    memcpy(mangled, name.data, name.len);
    mangled[name.len] = '\0';
    return demangle(mangled, mode, out);
}

bool brz_demangle(brz_str name, brz_demangle_mode mode, brz_buf *out)
{
    if (mode == BRZ_DEMANGLE_NONE || !brz_may_be_mangled(name))
        return false;
    const char *start = start_of(name), *end = end_of(start, name);
    size_t n = (size_t)(end - start), before = out->len;
    if (n > LONGEST_MANGLED)
        return false;
    brz_buf_add(out, name.data, (size_t)(start - name.data));
    if (!demangle_part(brz_str_of(start, n), mode, out)) {
        cut(out, before);
        return false;
    }
    brz_buf_add(out, end, (size_t)(name.data + name.len - end));
    return true;
}
