#include "io/reading/record_ends.h"

#include <string.h>

static int ends_cell(const ald_record_manner *manner, char byte)
{
    return byte == manner->delimiter || (byte == '\t' && manner->delimiter == ' ');
}

static ald_record_state begin_cell(ald_record_state state, char byte)
{
    if (byte == ' ' || byte == '\t') return state;
    return byte == '"' ? ALD_IN_QUOTES : ALD_IN_CELL;
}

ald_record_state ald_record_step(const ald_record_manner *manner, ald_record_state state, char byte)
{
    if (state == ALD_IN_QUOTES) return manner->delimited && byte == '"' ? ALD_AT_QUOTE : ALD_IN_QUOTES;
    if (state == ALD_AT_QUOTE && byte == '"') return ALD_IN_QUOTES;
    if (byte == '\n' || (byte == '\r' && manner->delimited)) return ALD_AT_RECORD;
    if (state == ALD_IN_COMMENT || !manner->delimited) return state;
    if (state == ALD_AT_RECORD && byte == manner->comment && byte) return ALD_IN_COMMENT;
    if (ends_cell(manner, byte) && (manner->delimiter != ' ' || state != ALD_AT_RECORD)) return ALD_AT_CELL;
    return state <= ALD_AT_CELL ? begin_cell(state, byte) : ALD_IN_CELL;
}

size_t ald_mark_size(const char *bytes, size_t size)
{
    return size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
