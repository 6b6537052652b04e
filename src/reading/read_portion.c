#include "reading/read_portion.h"

#include "ranks/communicator.h"
#include "reading/file_list.h"
#include "reading/stream.h"

static ald_status read_all(ald_run *run, ald_stream *stream, const char *path, ald_table *table)
{
    ald_cut cut;
    ALD_TRY(ald_stream_cut(run, stream, table->arena, &cut));
    if (!cut.bytes)
        return ald_fail(run->error, ALD_ERROR_DATA, "%s has too few rows for %d ranks: start fewer", path,
                        ald_rank_count(run));
    return ald_stream_parse_into(run, stream, &cut, table);
}

static ald_status read_own(ald_run *run, const char *path, const ald_load_options *options,
                           const ald_portion *portion, ald_table *table)
{
    ald_stream *stream;
    ALD_TRY(ald_stream_open(run, path, options, portion, &stream));
    ald_stream_take_all(stream);
    const ald_status status = read_all(run, stream, path, table);
    ald_stream_close(stream);
    return status;
}

ald_status ald_read_portion(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    ald_portion portion;
    const ald_file_list *list;
    ALD_TRY(ald_all_agree(run, ald_file_list_find(run, path, &list)));
    if (list)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "%s: several files are read by fits in blocks only", path);
    ALD_TRY(ald_portion_find(run, path, options, 0, &portion));
    table->partial = 1;
    return ald_all_agree(run, read_own(run, path, options, &portion, table));
}
