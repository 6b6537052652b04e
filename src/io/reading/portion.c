/* Where the rows of a rank begin and end in a file, found by all ranks together. */
#include "io/reading/portion.h"

#include <string.h>

static int64_t count_of(const char *bytes, int64_t size, char wanted)
{
    int64_t count = 0;
    for (int64_t i = 0; i < size; i++) count += bytes[i] == wanted;
    return count;
}

static void note_record(ald_range_look *look, int within, int64_t place, int64_t lines)
{
    if (look->record[within] >= 0) return;
    look->record[within] = place;
    look->record_lines[within] = lines;
}

static void look_with_quotes(ald_range_look *look, const char *bytes, int64_t size, int64_t at)
{
    for (int64_t i = 0; i < size; i++) {
        look->quotes += bytes[i] == '"';
        if (bytes[i] != '\n') continue;
        look->lines++; /* it ends a record if the range began within quotes, where these are odd in number by
                          now */
        note_record(look, (int)(look->quotes & 1), at + i + 1, look->lines);
    }
}

void ald_range_look_at(ald_range_look *look, const char *bytes, int64_t size, int64_t at, int quotes)
{
    if (size == 0) return;
    if (quotes && memchr(bytes, '"', (size_t)size)) {
        look_with_quotes(look, bytes, size, at);
        return;
    }
    const char *end = memchr(bytes, '\n', (size_t)size);
    if (end) note_record(look, (int)(look->quotes & 1), at + (end - bytes) + 1, look->lines + 1);
    look->lines += count_of(bytes, size, '\n');
}

/* A rank in whose range no record begins has none. */
ald_portion ald_portion_of(const ald_range_look *looks, int rank, int size, int64_t bytes)
{
    ald_portion own = {.divided = 1, .begin = -1, .end = bytes};
    int64_t quotes = 0, lines = 0;
    for (int r = 0; r < size; r++) {
        const int within = (int)(quotes & 1);
        const int64_t record = r == 0 ? 0 : looks[r].record[within];
        if (record >= 0 && r > rank && own.begin >= 0) {
            own.end = record;
            return own;
        }
        if (r == rank && record < 0) return (ald_portion){.divided = 1};
        if (r == rank) {
            own.begin = record;
            own.lines = lines + (r == 0 ? 0 : looks[r].record_lines[within]);
        }
        quotes += looks[r].quotes;
        lines += looks[r].lines;
    }
    return own;
}

int64_t ald_portion_begin(int64_t items, int64_t others, int size, int rank)
{
    const int64_t all = items + others, at = all / size * rank + all % size * rank / size - others;
    if (rank == size) return items;
    return rank > 0 && at > 0 ? at : 0;
}
