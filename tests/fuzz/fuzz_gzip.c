/* The fuzz target for gzip: the bytes as a compressed file, read as blocks or by lines. Its mutations change
 * what is compressed too, as few changed bytes leave a stream whole. */
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/reading/input.h"

#include <zlib.h>

enum { most_text = 1 << 16 };

static ald_status read_blocks(ald_run *run, ald_input *input)
{
    char block[333];
    for (size_t got = 1; got;) ALD_TRY(ald_input_read(run, input, block, sizeof block, &got));
    return ALD_OK;
}

static ald_status read_lines(ald_run *run, ald_input *input)
{
    char *line;
    size_t length;
    do ALD_TRY(ald_input_line(run, input, &line, &length));
    while (line);
    return ALD_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static memory_file file;
    const ald_context context = fuzzing_context();
    ald_run run;
    ald_error error;
    ald_input *input = NULL;
    if (!file.path[0]) memory_file_open(&file, "fuzz.gz");
    memory_file_fill(&file, bytes, size);
    ald_run_begin(&run, &context, &error);
    ald_status status = ald_input_open(&run, file.path, &input);
    if (status >= 0) status = size % 2 ? read_blocks(&run, input) : read_lines(&run, input);
    fuzzing_expect_message(status, &error);
    ald_input_close(input);
    ald_run_end(&run, status);
    return 0;
}

/* How many bytes came out; 0: it is no gzip stream. */
static size_t unpack(const uint8_t *bytes, size_t size, uint8_t *text)
{
    z_stream stream = {
        .next_in = (Bytef *)bytes,
        .avail_in = (uInt)size,
        .next_out = text,
        .avail_out = most_text,
    };
    if (inflateInit2(&stream, 15 + 16) != Z_OK) return 0;
    inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return most_text - stream.avail_out;
}

static size_t pack(const uint8_t *text, size_t size, uint8_t *bytes, size_t room)
{
    z_stream stream = {
        .next_in = (Bytef *)text,
        .avail_in = (uInt)size,
        .next_out = bytes,
        .avail_out = (uInt)room,
    };
    if (deflateInit2(&stream, (int)(size % 10), Z_DEFLATED, 15 + 16, 1, (int)(size % 5)) != Z_OK) return 0;
    const int done = deflate(&stream, Z_FINISH);
    deflateEnd(&stream);
    return done == Z_STREAM_END ? room - stream.avail_out : 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static uint8_t text[most_text];
    const size_t unpacked = seed % 2 ? unpack(bytes, size, text) : 0;
    if (!unpacked) return LLVMFuzzerMutate(bytes, size, room);
    const size_t packed = pack(text, LLVMFuzzerMutate(text, unpacked, most_text), bytes, room);
    return packed ? packed : LLVMFuzzerMutate(bytes, size, room);
}
