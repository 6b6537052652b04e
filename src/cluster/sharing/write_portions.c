/* One file of rows that ranks share: every rank has its rows as bytes, and rank 0 writes them, rank by
 * rank. */
#include "base/core/error.h"
#include "cluster/ranks/communicator.h"
#include "io/writing/writer.h"

#include <alidade/dataset.h>

enum { message_size = 1 << 20 };

static ald_status send_bytes(ald_run *run, const char *bytes, int64_t size)
{
    ALD_TRY(ald_send(run, 0, &size, (int64_t)sizeof size));
    for (int64_t at = 0; at < size; at += message_size)
        ALD_TRY(ald_send(run, 0, bytes + at, size - at < message_size ? size - at : message_size));
    return ALD_OK;
}

/* All bytes are received, also when writing has failed. */
static ald_status write_received(ald_run *run, ald_status status, int rank, char *room, ald_output *output)
{
    int64_t size;
    ALD_TRY(ald_receive(run, rank, &size, (int64_t)sizeof size));
    for (int64_t at = 0; at < size; at += message_size) {
        const int64_t part = size - at < message_size ? size - at : message_size;
        ALD_TRY(ald_receive(run, rank, room, part));
        if (status >= 0) status = ald_output_write(run, output, room, (size_t)part);
    }
    return status;
}

/* The bytes of ranks 1, 2, ... behind those that rank 0 has written. */
static ald_status unite(ald_run *run, ald_status status, ald_output *output)
{
    const char *bytes = NULL;
    char *room = NULL;
    int64_t size = 0;
    const int sends = ald_rank(run) > 0;
    if (status >= 0)
        status = sends ? ald_output_bytes(run, output, &bytes, &size)
                       : ald_scratch(run, message_size, 1, 1, &room);
    ALD_TRY(ald_all_agree(run, status));
    if (sends) return send_bytes(run, bytes, size);
    for (int r = 1; r < ald_rank_count(run); r++) status = write_received(run, status, r, room, output);
    return status;
}

static ald_status write_own(ald_run *run, const ald_sheet *sheet, const char *path, int64_t total,
                            ald_output **output)
{
    const int is_rest = ald_rank(run) > 0;
    ALD_TRY(is_rest ? ald_output_memory(run, output) : ald_output_open(run, path, 1, output));
    return ald_sheet_write(run, sheet, path, total, is_rest, *output);
}

static ald_status write_all(ald_run *run, const ald_sheet *sheet, const char *path, int64_t total,
                            ald_output **output)
{
    const ald_status own = write_own(run, sheet, path, total, output);
    ALD_TRY(ald_all_agree(run, unite(run, own, *output)));
    return ald_output_commit(run, *output);
}

ald_status ald_write_portions(ald_context *context, const char *path, const double *values, int64_t rows,
                              int64_t cols, const char *const *header, const char *const *const *levels,
                              int64_t *total, ald_error *error)
{
    ald_run run;
    ald_output *output = NULL;
    const ald_sheet sheet = {values, rows, cols, header, levels};
    int64_t all = rows;
    if (total) *total = 0;
    ALD_GIVEN(error, context, path, values);
    ald_run_begin(&run, context, error);
    ald_status status = ald_all_count(&run, &all, 1);
    if (status >= 0) status = write_all(&run, &sheet, path, all, &output);
    ald_output_abandon(output);
    status = ald_all_end(&run, status);
    if (total && status >= 0) *total = all;
    return ald_run_end(&run, status);
}
