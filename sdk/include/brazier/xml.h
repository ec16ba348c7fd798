/* Names in XML: escaped, and free of characters that XML cannot hold. */
#ifndef BRAZIER_XML_H
#define BRAZIER_XML_H

#include <brazier/write.h>

/* How many bytes the character at the front of UTF-8 text takes. */
static inline size_t brz_utf8_step(brz_str s)
{
    unsigned char c = (unsigned char)s.data[0];
    size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    return n < s.len ? n : s.len;
}

/* What must stand for the character of n bytes at p; NULL: itself. Control characters are shown by
 * the pictures that Unicode has for them, written to `buffer`. */
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

/* True if the text can stand in XML as it is. */
static inline bool brz_is_xml_clean(brz_str s)
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

/* Writes UTF-8 text so that it can stand between tags and between quotes. */
static inline void brz_put_xml(brz_writer *w, brz_str s)
{
    size_t done = 0, i = 0;
    while (i < s.len) {
        char buffer[4];
        size_t n = brz_utf8_step(brz_str_of(s.data + i, s.len - i));
        const char *instead = brz_xml_substitute(s.data + i, n, buffer);
        if (instead != NULL) {
            brz_put(w, s.data + done, i - done);
            brz_put_text(w, instead);
            done = i + n;
        }
        i += n;
    }
    brz_put(w, s.data + done, s.len - done);
}

#endif
