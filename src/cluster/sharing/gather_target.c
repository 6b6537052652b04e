/* The target of rows that several ranks share, on rank 0: all ranks say what they have, then the other
 * ranks send theirs one after the other. A rank none of whose rows has a target does not know of what
 * kind it is. */
#include "base/core/error.h"
#include "base/core/record.h"
#include "cluster/ranks/communicator.h"
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

/* Adds a rank; `rows` receives how many it has. */
static ald_status unpack(ald_run *run, ald_record *parcel, shape *all, int64_t *rows)
{
    int64_t head[6];
    ALD_TRY(ald_record_take(run, parcel, head, 6, sizeof *head));
    *rows = head[4];
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

static ald_status unpack_all(ald_run *run, const ald_gathered *parcels, ald_arena *arena, int64_t **counts,
                             shape *all)
{
    const int ranks = ald_rank_count(run);
    *all = (shape){.width = 1, .labelled = 1};
    ALD_TRY(ald_scratch(run, ranks, 1, sizeof **counts, counts));
    for (int r = 0; r < ranks; r++) {
        ald_record parcel = {
            .arena = arena,
            .bytes = parcels->bytes + parcels->begin[r],
            .size = parcels->begin[r + 1] - parcels->begin[r],
        };
        ALD_TRY(unpack(run, &parcel, all, *counts + r));
    }
    return ALD_OK;
}

/* Rows of one rank: values (rows x width), classes as their numbers, and which of them have a target. */
typedef struct portion {
    double *values;
    unsigned char *labelled;
} portion;

static ald_status make_portion(ald_run *run, int64_t rows, const shape *all, portion *p)
{
    ALD_TRY(ald_scratch_zeros(run, rows, all->width, &p->values));
    ALD_TRY(ald_scratch(run, rows, 1, 1, &p->labelled));
    memset(p->labelled, 0, (size_t)rows);
    return ALD_OK;
}

static ald_status take_own(ald_run *run, const ald_target *y, int64_t rows, const shape *all, portion *p)
{
    int64_t width;
    ALD_TRY(make_portion(run, rows, all, p));
    if (y->kind == ALD_TARGET_NONE) return ALD_OK;
    memset(p->labelled, 1, (size_t)rows);
    if (y->labelled) memcpy(p->labelled, y->labelled, (size_t)rows);
    if (y->kind != ALD_TARGET_CLASSES) return ald_target_numbers(run, y, &p->values, &width);
    for (int64_t i = 0; i < rows; i++) p->values[i] = p->labelled[i] ? (double)y->classes[i] : 0.0;
    return ALD_OK;
}

/* Where the rows of all ranks go, in the memory of the dataset, and where those of another rank come in. */
typedef struct room {
    int32_t *classes; /* NULL: they are numbers */
    double *values;
    unsigned char *labelled;
    portion theirs;
} room;

static ald_status make_room(ald_run *run, const shape *all, const int64_t *counts, ald_dataset *dataset,
                            room *to)
{
    int64_t most = 0;
    for (int r = 1; r < ald_rank_count(run); r++) most = counts[r] > most ? counts[r] : most;
    ALD_TRY(make_portion(run, most, all, &to->theirs));
    const int classes = all->kind == ALD_TARGET_CLASSES;
    const size_t size = classes ? sizeof *to->classes : sizeof *to->values;
    void *made = ald_arena_get(&dataset->memory, all->rows, all->width, size);
    to->labelled = ald_arena_get(&dataset->memory, all->rows, 1, 1);
    if (!made || !to->labelled) return ald_out_of_memory(run, all->rows, all->width, size);
    to->classes = classes ? made : NULL;
    to->values = classes ? NULL : made;
    return ALD_OK;
}

static void put_portion(const portion *p, int64_t at, int64_t rows, int64_t width, const room *to)
{
    for (int64_t i = 0; to->classes && i < rows; i++) to->classes[at + i] = (int32_t)p->values[i];
    if (to->values) memcpy(to->values + at * width, p->values, (size_t)(rows * width) * sizeof *to->values);
    memcpy(to->labelled + at, p->labelled, (size_t)rows);
}

static ald_status receive_all(ald_run *run, const shape *all, const int64_t *counts, const room *to)
{
    int64_t at = counts[0];
    for (int r = 1; r < ald_rank_count(run); at += counts[r++]) {
        const portion *p = &to->theirs;
        ALD_TRY(ald_receive(run, r, p->values, counts[r] * all->width * (int64_t)sizeof *p->values));
        ALD_TRY(ald_receive(run, r, p->labelled, counts[r]));
        put_portion(p, at, counts[r], all->width, to);
    }
    return ALD_OK;
}

static void set_target(const shape *all, const room *to, ald_dataset *dataset)
{
    const ald_matrix values = ald_matrix_row_major(to->values, all->rows, all->width, all->width);
    ald_target *y = &dataset->target;
    *y = (ald_target){.rows = all->rows};
    if (all->kind == ALD_TARGET_CLASSES) *y = ald_target_classes(to->classes, all->rows, all->n_classes);
    if (all->kind == ALD_TARGET_REAL) *y = ald_target_real(values);
    if (all->kind == ALD_TARGET_LABELS) *y = ald_target_labels(values);
    y->names = (const char *const *)all->names;
    y->labelled = all->labelled || all->kind == ALD_TARGET_NONE ? NULL : to->labelled;
    dataset->x.rows = all->rows;
}

static ald_status gather(ald_run *run, const ald_dataset *own, ald_dataset *dataset)
{
    const int64_t rows = own->x.rows;
    ald_record parcel = {.arena = &run->scratch};
    ald_gathered parcels;
    int64_t *counts;
    portion p;
    shape all;
    room to = {0};
    const ald_status packed = pack(run, &own->target, rows, &parcel);
    ALD_TRY(ald_all_gather(run, packed, &run->scratch, parcel.bytes, parcel.size, &parcels));
    ald_status status = unpack_all(run, &parcels, &dataset->memory, &counts, &all);
    if (status >= 0) status = take_own(run, &own->target, rows, &all, &p);
    if (status >= 0 && ald_rank(run) == 0) status = make_room(run, &all, counts, dataset, &to);
    ALD_TRY(ald_all_agree(run, status));
    if (ald_rank(run) > 0) {
        dataset->target.kind = (ald_target_kind)all.kind;
        ALD_TRY(ald_send(run, 0, p.values, rows * all.width * (int64_t)sizeof *p.values));
        return ald_send(run, 0, p.labelled, rows);
    }
    put_portion(&p, 0, rows, all.width, &to);
    ALD_TRY(receive_all(run, &all, counts, &to));
    set_target(&all, &to, dataset);
    return ALD_OK;
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
