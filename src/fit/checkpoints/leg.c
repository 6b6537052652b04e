#include "fit/checkpoints/leg.h"

#include "base/ranks/communicator.h"
#include "io/reading/file_list.h"

#include <string.h>

/* What is left of a leg of one file, as a portion of its own; 0: that cannot be told. */
static int rest_of(const ald_leg *leg, const ald_reader *reader, int64_t bytes, ald_portion *rest)
{
    const int rows = reader == &ald_npy_reader;
    *rest = leg->portion;
    if (!rest->divided && rows) return 0;
    if (!rest->divided) *rest = (ald_portion){.divided = 1, .end = bytes};
    if (leg->number == 0) return 1;
    rest->begin = rows ? leg->at.row : leg->at.place;
    rest->lines = leg->at.lines;
    return 1;
}

static ald_status share_one(ald_run *run, const char *path, const ald_load_options *options,
                            const ald_leg *leg, int64_t bytes, int whose, ald_leg *own, int64_t *count)
{
    const ald_file_list *list;
    const ald_reader *reader;
    ald_portion rest, part;
    ALD_TRY(ald_file_list_find(run, path, &list));
    ALD_TRY(ald_reader_find(run, path, options->format, &reader));
    if (list || !rest_of(leg, reader, bytes, &rest)) {
        if (whose == ald_rank(run)) own[(*count)++] = *leg;
        return ALD_OK;
    }
    ALD_TRY(ald_portion_divide(run, path, options, &rest, &part));
    if (part.begin < part.end) own[(*count)++] = (ald_leg){.portion = part};
    return ALD_OK;
}

ald_status ald_legs_share(ald_run *run, const char *path, const ald_load_options *options, int64_t bytes,
                          ald_leg **legs, int64_t *count)
{
    ald_gathered all;
    ald_leg *own;
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, *legs, *count * (int64_t)sizeof **legs, &all));
    const ald_leg *each = (const ald_leg *)(const void *)all.bytes;
    const int64_t n = all.begin[ald_rank_count(run)] / (int64_t)sizeof *each;
    ALD_TRY(ald_all_agree(run, ald_scratch(run, n, 1, sizeof *own, &own)));
    *count = 0;
    for (int64_t i = 0; i < n; i++)
        if (!each[i].done)
            ALD_TRY(
                share_one(run, path, options, &each[i], bytes, (int)(i % ald_rank_count(run)), own, count));
    *legs = own;
    return ALD_OK;
}
