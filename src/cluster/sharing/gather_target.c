/* The target of rows that several ranks share, on rank 0: all ranks say what they have, then their
 * numbers are collected there. A rank none of whose rows has a target does not know of what
 * kind it is. */
#include "base/core/error.h"
#include "base/core/record.h"
#include "cluster/ranks/communicator.h"
#include "cluster/sharing/share_sums.h"
#include "data/encode/dataset.h"
#include "math/operator/entry.h"

#include <string.h>

/* What the ranks have together; of the first that has a target. */
typedef struct shape {
    int64_t kind, width, n_classes, n_names;
    char **names;
    int64_t rows;
    int64_t labelled; /* all rows are */
} shape;

static int64_t width_of(const ald_target *y)
{
    return y->kind == ALD_TARGET_REAL || y->kind == ALD_TARGET_LABELS ? y->values.cols : 1;
}

static ald_status pack(ald_run *run, const ald_target *y, int64_t rows, ald_record *parcel)
{
    const int64_t named = y->kind == ALD_TARGET_CLASSES ? y->n_classes : width_of(y);
    const int64_t n_names = y->names && y->kind != ALD_TARGET_NONE ? named : 0;
    const int64_t head[] = {
        (int64_t)y->kind, width_of(y), y->n_classes,
        n_names,          rows,        !y->labelled && y->kind != ALD_TARGET_NONE,
    };
    ALD_TRY(ald_record_put(run, parcel, head, sizeof head / sizeof *head, sizeof *head));
    for (int64_t k = 0; k < n_names; k++) ALD_TRY(ald_record_put_text(run, parcel, y->names[k]));
    return ald_record_seal(run, parcel);
}

/* Adds a rank. */
static ald_status unpack(ald_run *run, ald_record *parcel, shape *all)
{
    int64_t head[6];
    ALD_TRY(ald_record_take(run, parcel, head, 6, sizeof *head));
    all->rows += head[4];
    all->labelled = all->labelled && (head[5] || head[4] == 0);
    if (head[0] == ALD_TARGET_NONE || all->kind != ALD_TARGET_NONE) return ALD_OK;
    all->kind = head[0];
    all->width = head[1];
    all->n_classes = head[2];
    if (head[3] == 0) return ALD_OK;
    all->n_names = head[3];
    all->names = ald_arena_get(parcel->arena, all->n_names, 1, sizeof *all->names);
    if (!all->names) return ald_out_of_memory(run, all->n_names, 1, sizeof *all->names);
    for (int64_t k = 0; k < all->n_names; k++) ALD_TRY(ald_record_take_text(run, parcel, &all->names[k]));
    return ALD_OK;
}

static ald_status unpack_all(ald_run *run, const ald_gathered *parcels, ald_arena *arena, shape *all)
{
    const int ranks = ald_rank_count(run);
    *all = (shape){.width = 1, .labelled = 1};
    for (int r = 0; r < ranks; r++) {
        ald_record parcel = {
            .arena = arena,
            .bytes = parcels->bytes + parcels->begin[r],
            .size = parcels->begin[r + 1] - parcels->begin[r],
        };
        ALD_TRY(unpack(run, &parcel, all));
    }
    return ALD_OK;
}

/* Numbers for the rows of this rank: values (rows x width), classes as their numbers, and 1 for each that has
 * a target. */
typedef struct portion {
    double *values, *labelled;
} portion;

static ald_status take_own(ald_run *run, const ald_target *y, int64_t rows, const shape *all, portion *p)
{
    int64_t width;
    ALD_TRY(ald_scratch_zeros(run, rows, all->width, &p->values));
    ALD_TRY(ald_scratch_zeros(run, rows, 1, &p->labelled));
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    for (int64_t i = 0; i < rows; i++) p->labelled[i] = !y->labelled || y->labelled[i];
    if (y->kind != ALD_TARGET_CLASSES) return ald_target_numbers(run, y, &p->values, &width);
    for (int64_t i = 0; i < rows; i++) p->values[i] = p->labelled[i] > 0.0 ? (double)y->classes[i] : 0.0;
    return ALD_OK;
}

/* The target of all rows, in the memory of the dataset. */
static ald_status set_target(ald_run *run, const shape *all, const portion *p, ald_dataset *dataset)
{
    const int64_t n = all->rows, count = n * all->width;
    ald_target *y = &dataset->target;
    double *values = ald_arena_get(&dataset->memory, n, all->width, sizeof *values);
    int32_t *classes = ald_arena_get(&dataset->memory, n, 1, sizeof *classes);
    unsigned char *labelled = ald_arena_get(&dataset->memory, n, 1, 1);
    if (!values || !classes || !labelled) return ald_out_of_memory(run, n, all->width, sizeof *values);
    if (count) memcpy(values, p->values, (size_t)count * sizeof *values);
    for (int64_t i = 0; i < n; i++) classes[i] = (int32_t)values[i * all->width];
    for (int64_t i = 0; i < n; i++) labelled[i] = p->labelled[i] > 0.0;
    const ald_matrix view = ald_matrix_row_major(values, n, all->width, all->width);
    *y = (ald_target){.rows = n};
    if (all->kind == ALD_TARGET_CLASSES) *y = ald_target_classes(classes, n, all->n_classes);
    if (all->kind == ALD_TARGET_REAL) *y = ald_target_real(view);
    if (all->kind == ALD_TARGET_LABELS) *y = ald_target_labels(view);
    y->names = (const char *const *)all->names;
    y->labelled = all->labelled || all->kind == ALD_TARGET_NONE ? NULL : labelled;
    dataset->x.rows = n;
    return ALD_OK;
}

static ald_status gather(ald_run *run, const ald_dataset *own, ald_dataset *dataset)
{
    const ald_all_rows table = ald_share_table(run);
    const int64_t rows = own->x.rows;
    ald_record parcel = {.arena = &run->scratch};
    ald_gathered parcels;
    portion p, to;
    shape all;
    const ald_status packed = pack(run, &own->target, rows, &parcel);
    ALD_TRY(ald_all_gather(run, packed, &run->scratch, parcel.bytes, parcel.size, &parcels));
    ALD_TRY(unpack_all(run, &parcels, &dataset->memory, &all));
    ALD_TRY(take_own(run, &own->target, rows, &all, &p));
    ALD_TRY(table.collect(run, p.values, rows * all.width, &to.values));
    ALD_TRY(table.collect(run, p.labelled, rows, &to.labelled));
    dataset->target.kind = (ald_target_kind)all.kind;
    return ald_rank(run) == 0 ? set_target(run, &all, &to, dataset) : ALD_OK;
}

ald_status ald_dataset_gather_target(ald_context *context, const ald_dataset *dataset, ald_dataset **all,
                                     ald_error *error)
{
    ald_run run;
    if (all) *all = NULL;
    ALD_GIVEN(error, context, dataset, all);
    ald_run_begin(&run, context, error);
    ald_status status = ald_dataset_new(&run, all);
    status = ald_all_agree(&run, status);
    if (status >= 0) status = gather(&run, dataset, *all);
    status = ald_all_end(&run, status);
    if (status < 0) {
        ald_dataset_free(*all);
        *all = NULL;
    }
    return ald_run_end(&run, status);
}
