/* The fuzz target for workbooks. Its mutations change one stored part and then the lengths and places that
 * the archive says of it and of what lies behind, so that the changed part is found and read. */
#define FUZZ_READER ald_xlsx_reader
#include "fuzz/fuzz_table.h"

enum {
    end_size = 22,
    entry_size = 46,
    local_size = 30,
    most_parts = 20,
    packed_at = 20,    /* in an entry of the directory; the length unpacked follows */
    place_at = 42,     /* in an entry */
    directory_at = 16, /* in the end record */
};

static size_t get(const uint8_t *at, int bytes)
{
    size_t number = 0;
    for (int k = bytes - 1; k >= 0; k--) number = number << 8 | at[k];
    return number;
}

static void put(uint8_t *at, size_t number)
{
    for (int k = 0; k < 4; k++, number >>= 8) at[k] = (uint8_t)number;
}

/* Where the entries of the directory are; 0: this is no archive that ends with its end record. */
static int find_entries(const uint8_t *bytes, size_t size, size_t entries[most_parts])
{
    if (size < end_size || memcmp(bytes + size - end_size, "PK\5\6", 4) != 0) return 0;
    const size_t end = size - end_size;
    size_t at = get(bytes + end + directory_at, 4);
    int count = 0;
    while (count < most_parts && at < end && end - at >= entry_size) {
        entries[count++] = at;
        at += entry_size + get(bytes + at + 28, 2) + get(bytes + at + 30, 2) + get(bytes + at + 32, 2);
    }
    return at == end ? count : 0;
}

/* The bytes of a stored part before the directory; 0: there are none. */
static size_t find_part(const uint8_t *bytes, size_t entry, size_t directory, size_t *length)
{
    const size_t place = get(bytes + entry + place_at, 4);
    *length = get(bytes + entry + packed_at, 4);
    if (get(bytes + entry + 10, 2) != 0 || place > directory || directory - place < local_size) return 0;
    const size_t start = place + local_size + get(bytes + place + 26, 2) + get(bytes + place + 28, 2);
    return start <= directory && *length <= directory - start ? start : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    size_t entries[most_parts], length = 0;
    const int count = size < room && seed % 8 ? find_entries(bytes, size, entries) : 0;
    const size_t directory = count ? entries[0] : 0, entry = count ? entries[seed / 8 % (unsigned)count] : 0;
    const size_t start = count ? find_part(bytes, entry, directory, &length) : 0;
    if (!start) return LLVMFuzzerMutate(bytes, size, room);
    const size_t tail = size - start - length; /* moved to the end of the room meanwhile */
    memmove(bytes + room - tail, bytes + start + length, tail);
    const size_t now = LLVMFuzzerMutate(bytes + start, length, room - tail - start);
    memmove(bytes + start + now, bytes + room - tail, tail);
    const size_t moved = now - length; /* modulo 2^64 */
    put(bytes + (entry + moved + packed_at), now);
    put(bytes + (entry + moved + packed_at + 4), now);
    for (int k = 0; k < count; k++) {
        uint8_t *at = bytes + (entries[k] + moved + place_at);
        if (get(at, 4) >= start) put(at, get(at, 4) + moved);
    }
    put(bytes + (size + moved - end_size + directory_at), directory + moved);
    return size + moved;
}
