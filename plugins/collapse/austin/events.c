/* Reads the values of austin's binary form. */
#include "events.h"

#define MORE 0x80u
#define SIGN 0x40u

int64_t mojo_take_number(brz_bytes *b)
{
    const uint8_t *start = b->at;
    uint8_t byte = brz_bytes_u8(b);
    bool negative = (byte & SIGN) != 0;
    uint64_t value = byte & 0x3fu;
    for (unsigned shift = 6; (byte & MORE) != 0 && b->error == NULL; shift += 7) {
        byte = brz_bytes_u8(b);
        if (shift > 55) {
            brz_bytes_too_large(b, start);
            return 0;
        }
        value |= (uint64_t)(byte & 0x7fu) << shift;
    }
    return negative ? -(int64_t)value : (int64_t)value;
}
