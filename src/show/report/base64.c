#include "show/report/base64.h"

/* 3 bytes are 24 bits are 4 letters; what is missing at the end is '='. */
static void encode_three(const unsigned char *bytes, size_t left, char letters[4])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned b = left > 1 ? bytes[1] : 0, c = left > 2 ? bytes[2] : 0;
    const unsigned bits = (unsigned)bytes[0] << 16 | b << 8 | c;
    letters[0] = alphabet[bits >> 18];
    letters[1] = alphabet[bits >> 12 & 63];
    letters[2] = '=';
    letters[3] = '=';
    if (left > 1) letters[2] = alphabet[bits >> 6 & 63];
    if (left > 2) letters[3] = alphabet[bits & 63];
}

ald_status ald_base64_add(ald_run *run, ald_text *text, const void *bytes, size_t size)
{
    enum { groups = 256 }; /* at a time */
    const unsigned char *all = bytes;
    char letters[4 * groups];
    for (size_t done = 0; done < size;) {
        size_t filled = 0;
        for (; filled < sizeof letters && done < size; filled += 4, done += 3)
            encode_three(all + done, size - done, letters + filled);
        ALD_TRY(ald_text_add(run, text, letters, filled));
    }
    return ALD_OK;
}
