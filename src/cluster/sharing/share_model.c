#include "cluster/sharing/share_model.h"

#include "cluster/ranks/communicator.h"
#include "io/modelfile/modelfile.h"

static ald_status read_model(ald_run *run, const unsigned char *bytes, int64_t size, ald_model **model)
{
    ald_model *read;
    ALD_TRY(ald_model_new(run, &read));
    const ald_status status = ald_modelfile_parse(run, bytes, (size_t)size, read);
    ald_model_free(status >= 0 ? *model : read);
    if (status >= 0) *model = read;
    return status;
}

/* As bytes of a file, so that nothing of it can be forgotten. */
static ald_status hear_model(ald_run *run, unsigned char *bytes, int64_t size, ald_model **model)
{
    const int mine = ald_rank(run) == 0;
    ald_status status = ALD_OK;
    ALD_TRY(ald_all_hear(run, 0, &size, (int64_t)sizeof size));
    if (!mine) status = ald_scratch(run, size, 1, 1, &bytes);
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(ald_all_hear(run, 0, bytes, size));
    return ald_all_agree(run, mine ? ALD_OK : read_model(run, bytes, size, model));
}

ald_status ald_share_model(ald_run *run, ald_model **model)
{
    const ald_allocator *allocator = run->call.allocator;
    unsigned char *bytes = NULL;
    size_t size = 0;
    ald_status status = ALD_OK;
    if (ald_rank_count(run) == 1) return ALD_OK;
    if (ald_rank(run) == 0) status = ald_modelfile_bytes(run, *model, &bytes, &size);
    status = ald_all_agree(run, status);
    if (status >= 0) status = hear_model(run, bytes, (int64_t)size, model);
    if (bytes) allocator->resize(allocator->user, bytes, 0);
    return status;
}
