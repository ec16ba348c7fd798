/* SPDX-License-Identifier: MIT */
/** @file
 * Writes text into XML: escapes markup and replaces characters that XML forbids.
 */
#ifndef BRAZIER_XML_H
#define BRAZIER_XML_H

#include <brazier/text/find.h>
#include <brazier/write.h>

/** Returns the number of bytes of the character at the beginning of UTF-8 text, which must not be
 * empty. */
static inline size_t brz_utf8_step(brz_str s)
{
    unsigned char c = (unsigned char)s.data[0];
    size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return n < s.len ? n : s.len;
}

/** Returns the replacement of the character of `n` bytes at `p`, or NULL if it can stay. Control
 * characters are replaced by Unicode's control pictures, which are written to `buffer`. */
static inline const char *brz_xml_substitute(const char *p, size_t n, char buffer[4])
{
    unsigned char c = (unsigned char)p[0];
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    default:
        break;
    }
    if (c < 0x20 || c == 0x7f) { /* U+2400 and up, U+2421 */
        buffer[0] = (char)0xe2;
        buffer[1] = (char)0x90;
        buffer[2] = (char)(0x80 + (c == 0x7f ? 0x21 : c));
        buffer[3] = '\0';
        return buffer;
    }
    bool noncharacter = n == 3 && c == 0xef && (unsigned char)p[1] == 0xbf &&
                        (unsigned char)p[2] >= 0xbe; /* U+FFFE, U+FFFF */
    return noncharacter ? "\xef\xbf\xbd" : NULL;
}

#if BRZ_HAVE_SSE2
/** Returns nonzero if one of the 16 bytes at `p` needs replacing, or may begin a character that
 * does. */
static inline int brz_xml_dirty16(const char *p)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i bad = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1f)), v);
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(v, _mm_set1_epi8('"')));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(1)), _mm_set1_epi8('\'')));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(2)), _mm_set1_epi8('>')));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(v, _mm_set1_epi8(0x7f)));
    bad = _mm_or_si128(bad, _mm_cmpeq_epi8(v, _mm_set1_epi8((char)0xef)));
    return _mm_movemask_epi8(bad);
}
#endif

/** Implements brz_is_xml_clean() for every processor. */
static inline bool brz_is_xml_clean_portable(brz_str s)
{
    const uint64_t low = 0xffffffffu | UINT64_C(1) << '&' | UINT64_C(1) << '<' |
                         UINT64_C(1) << '>' | UINT64_C(1) << '"' | UINT64_C(1) << '\'';
    uint64_t bad = 0;
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        bad |= c < 64 ? low >> c & 1 : (uint64_t)((c == 0x7f) | (c == 0xef));
    }
    return bad == 0;
}

/** Returns whether a text can appear in XML unchanged. */
static inline bool brz_is_xml_clean(brz_str s)
{
#if BRZ_HAVE_SSE2
    if (s.len >= 16) {
        int dirty = brz_xml_dirty16(s.data + s.len - 16);
        for (size_t i = 0; i + 16 < s.len; i += 16)
            dirty |= brz_xml_dirty16(s.data + i);
        return dirty == 0;
    }
#endif
    return brz_is_xml_clean_portable(s);
}

/** Returns the offset of the first character from `from` on that needs replacing, or may do, or the
 * length of the text. */
static inline size_t brz_xml_clean_end(brz_str s, size_t from)
{
#if BRZ_HAVE_SSE2
    for (; from + 16 <= s.len; from += 16) {
        unsigned dirty = (unsigned)brz_xml_dirty16(s.data + from);
        if (dirty != 0)
            return from + (size_t)__builtin_ctz(dirty);
    }
    if (from < s.len && s.len >= 16) {
        unsigned dirty = (unsigned)brz_xml_dirty16(s.data + s.len - 16) >> (16 - (s.len - from));
        return dirty != 0 ? from + (size_t)__builtin_ctz(dirty) : s.len;
    }
#endif
    while (from < s.len && brz_is_xml_clean_portable(brz_str_of(s.data + from, 1)))
        from++;
    return from;
}

/** Takes bytes that can stay and the character after them off the front of a text. Returns the
 * number of bytes that stay, and stores the replacement of the character, or NULL if it stays, too;
 * `buffer` has room for it. */
static inline size_t brz_xml_take(brz_str *rest, const char **instead, char buffer[4])
{
    size_t clean = brz_xml_clean_end(*rest, 0), n = 0;
    *instead = NULL;
    if (clean < rest->len) {
        n = brz_utf8_step(brz_str_of(rest->data + clean, rest->len - clean));
        *instead = brz_xml_substitute(rest->data + clean, n, buffer);
    }
    *rest = brz_str_of(rest->data + clean + n, rest->len - clean - n);
    return *instead == NULL ? clean + n : clean;
}

/** Writes UTF-8 text so that it can appear between tags and in quoted attributes. */
static inline void brz_put_xml(brz_writer *w, brz_str s)
{
    while (s.len > 0) {
        char buffer[4];
        const char *start = s.data, *instead;
        size_t n = brz_xml_take(&s, &instead, buffer);
        brz_put(w, start, n);
        if (instead != NULL)
            brz_put_text(w, instead);
    }
}

#endif
