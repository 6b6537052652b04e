/* Ranks that each read a portion add up their warnings and agree on the numbers of new classes. */
#include "cluster/sharing/share_rows.h"

#include "base/core/record.h"
#include "cluster/ranks/communicator.h"
#include "data/encode/schema.h"
#include "data/levels/categories.h"
#include "math/operator/all_rows.h"

#include <string.h>

/* One feature of several ranks: the first of them tells what it holds. */
static void add_note(ald_reading_notes *sum, const ald_unseen_note *note)
{
    int64_t at = sum->n_unseen;
    while (at > 0 && sum->unseen[at - 1].feature > note->feature) at--;
    ald_unseen_note *before = at > 0 ? &sum->unseen[at - 1] : NULL;
    if (before && before->feature == note->feature) {
        before->rows += note->rows;
        before->several |= note->several | (strcmp(before->shown, note->shown) != 0);
        return;
    }
    memmove(sum->unseen + at + 1, sum->unseen + at, (size_t)(sum->n_unseen++ - at) * sizeof *sum->unseen);
    sum->unseen[at] = *note;
}

static ald_status tell_together(ald_run *run, const char *source, const ald_reading_notes *own)
{
    const int64_t size = (int64_t)sizeof *own->unseen;
    int64_t counts[] = {own->rows, own->holed, own->untargeted};
    ald_reading_notes sum = {0};
    ald_gathered all;
    ALD_TRY(ald_all_count(run, counts, 3));
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, own->unseen, own->n_unseen * size, &all));
    if (ald_rank(run) > 0) return ALD_OK;
    sum.rows = counts[0];
    sum.holed = counts[1];
    sum.untargeted = counts[2];
    ald_tell_dropped(run, source, &sum);
    const int64_t count = all.begin[ald_rank_count(run)] / size;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *sum.unseen, &sum.unseen));
    for (int64_t i = 0; i < count; i++) {
        ald_unseen_note note;
        memcpy(&note, all.bytes + i * size, sizeof note);
        add_note(&sum, &note);
    }
    return ald_tell_unseen(run, source, &sum);
}

/* Whether all classes that rows have are numbers, and the names of those that the model does not know. */
static ald_status pack_classes(ald_run *run, const ald_target *y, int64_t known, ald_record *parcel)
{
    const int64_t count = y->kind == ALD_TARGET_CLASSES ? y->n_classes : 0;
    unsigned char *used;
    int64_t numbers = 1;
    ALD_TRY(ald_scratch(run, count, 1, 1, &used));
    memset(used, 0, (size_t)count);
    for (int64_t i = 0; count > 0 && i < y->rows; i++) used[y->classes[i]] = 1;
    for (int64_t c = 0; c < count; c++) numbers &= !used[c] || ald_name_is_number(y->names[c]);
    ALD_TRY(ald_record_put_count(run, parcel, numbers));
    ALD_TRY(ald_record_put_count(run, parcel, count > known ? count - known : 0));
    for (int64_t c = known; c < count; c++) ALD_TRY(ald_record_put_text(run, parcel, y->names[c]));
    return ald_record_seal(run, parcel);
}

/* Adds those of one rank; *numbers stays where all classes of its rows are numbers. */
static ald_status take_parcel(ald_run *run, ald_record *parcel, char ***names, int64_t *count,
                              int64_t *numbers)
{
    int64_t all_numbers, own;
    ALD_TRY(ald_record_take_count(run, parcel, &all_numbers));
    ALD_TRY(ald_record_take_count(run, parcel, &own));
    char **grown = ald_arena_resize(parcel->arena, *names, *count + own, 1, sizeof *grown);
    if (!grown) return ald_out_of_memory(run, *count + own, 1, sizeof *grown);
    *names = grown;
    *numbers &= all_numbers;
    for (int64_t k = 0; k < own; k++) ALD_TRY(ald_record_take_text(run, parcel, &grown[(*count)++]));
    return ALD_OK;
}

/* The new classes of all ranks in the order that one process gives them, each once, in `arena`. */
static ald_status unpack_classes(ald_run *run, const ald_gathered *all, ald_arena *arena, char ***names,
                                 int64_t *count)
{
    int64_t numbers = 1, found = 0;
    *count = 0;
    *names = NULL;
    for (int r = 0; r < ald_rank_count(run); r++) {
        ald_record parcel = {
            .arena = arena,
            .bytes = all->bytes + all->begin[r],
            .size = all->begin[r + 1] - all->begin[r],
        };
        ALD_TRY(take_parcel(run, &parcel, names, &found, &numbers));
    }
    ALD_TRY(ald_names_sort(run, found, *names, numbers != 0));
    for (int64_t k = 0; k < found; k++)
        if (*count == 0 || strcmp((*names)[*count - 1], (*names)[k]) != 0) (*names)[(*count)++] = (*names)[k];
    return ALD_OK;
}

/* Classes of this rank beyond `known` get the places that they have among all new ones. */
static ald_status number_classes(ald_run *run, char *const *added, int64_t count, int64_t known,
                                 ald_dataset *dataset)
{
    ald_target *y = &dataset->target;
    const char **names = ald_arena_get(&dataset->memory, known + count, 1, sizeof *names);
    int32_t *places, *classes = ald_arena_get(&dataset->memory, y->rows, 1, sizeof *classes);
    if (!names || !classes) return ald_out_of_memory(run, known + count, 1, sizeof *names);
    ALD_TRY(ald_scratch(run, y->n_classes, 1, sizeof *places, &places));
    for (int64_t c = 0; c < known + count; c++) names[c] = c < known ? y->names[c] : added[c - known];
    for (int64_t c = 0; c < y->n_classes; c++) {
        places[c] = (int32_t)(c < known ? c : known);
        while (c >= known && strcmp(names[places[c]], y->names[c]) != 0) places[c]++;
    }
    for (int64_t i = 0; i < y->rows; i++) classes[i] = places[y->classes[i]];
    y->classes = classes;
    y->names = names;
    y->n_classes = known + count;
    return ALD_OK;
}

static ald_status take_classes(ald_run *run, const ald_gathered *all, const ald_load_options *options,
                               int64_t known, ald_dataset *dataset)
{
    char **added;
    int64_t count;
    ALD_TRY(unpack_classes(run, all, &dataset->memory, &added, &count));
    if (count == 0 || dataset->target.kind != ALD_TARGET_CLASSES) return ALD_OK;
    ALD_TRY(number_classes(run, added, count, known, dataset));
    return ald_schema_set_classes(run, &dataset->memory, ald_model_text(options->like, "alidade.schema"),
                                  dataset->target.names, known + count, &dataset->schema);
}

/* A rank all of whose rows are left out has no target; it knows the classes nevertheless. */
static ald_status know_classes(ald_run *run, const ald_schema *schema, ald_dataset *dataset)
{
    static const int32_t nothing[1];
    ald_target *y = &dataset->target;
    if (y->kind != ALD_TARGET_NONE || dataset->x.rows > 0 || schema->kind != ALD_TARGET_CLASSES)
        return ALD_OK;
    char **names = ald_arena_get(&dataset->memory, schema->n_classes, 1, sizeof *names);
    if (!names) return ald_out_of_memory(run, schema->n_classes, 1, sizeof *names);
    for (int64_t c = 0; c < schema->n_classes; c++) {
        names[c] = ald_arena_text(&dataset->memory, schema->classes[c], strlen(schema->classes[c]));
        if (!names[c]) return ald_out_of_memory(run, 1, 1, strlen(schema->classes[c]) + 1);
    }
    *y = ald_target_classes(nothing, 0, schema->n_classes);
    y->names = (const char *const *)names;
    return ALD_OK;
}

static ald_status share_classes(ald_run *run, const ald_load_options *options, ald_dataset *dataset)
{
    ald_record parcel = {.arena = &run->scratch};
    ald_schema schema = {0};
    ald_gathered all;
    if (!options->new_classes || !options->like || !ald_model_text(options->like, "alidade.schema"))
        return ALD_OK;
    ald_status status = ald_schema_read(run, options->like, &schema);
    if (status >= 0) status = know_classes(run, &schema, dataset);
    if (status >= 0) status = pack_classes(run, &dataset->target, schema.n_classes, &parcel);
    ALD_TRY(ald_all_gather(run, status, &run->scratch, parcel.bytes, parcel.size, &all));
    return ald_all_agree(run, take_classes(run, &all, options, schema.n_classes, dataset));
}

/* How many rows all ranks have, and how many of the file those before this one have read. */
static ald_status count_before(ald_run *run, ald_dataset *dataset)
{
    const int64_t own = dataset->file_rows ? dataset->file_rows : dataset->x.rows;
    ald_gathered all;
    ALD_TRY(ald_all_rows_of(run, dataset->all, dataset->x.rows, (double)dataset->x.rows, dataset->all));
    ALD_TRY(ald_all_gather(run, ALD_OK, &run->scratch, &own, (int64_t)sizeof own, &all));
    dataset->first_row = 0;
    for (int r = 0; r < ald_rank(run); r++) {
        int64_t rows;
        memcpy(&rows, all.bytes + all.begin[r], sizeof rows);
        dataset->first_row += rows;
    }
    return ALD_OK;
}

ald_status ald_share_rows(ald_run *run, ald_status status, const char *source,
                          const ald_load_options *options, ald_dataset *dataset)
{
    ALD_TRY(ald_all_agree(run, status));
    ALD_TRY(count_before(run, dataset));
    ALD_TRY(ald_all_agree(run, tell_together(run, source, &dataset->notes)));
    return share_classes(run, options, dataset);
}
