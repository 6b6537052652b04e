/* The nearest rows of rows on a card: the same neighbours as the processor's (math/device/card.h). A search
 * for many queries goes by stretches of them, so that the caller hears of progress and can stop. */
#include "math/graph/nearest.h"

#include "base/numbers/ordering.h"
#include "math/operator/on_card.h"

/* Multiplications of a search from which on the card is faster with the copy of X, where it was not asked for
 * by name; multiplications of a stretch, some tenths of a second; and the fewest queries of one. */
static const double least_products = 1e10, stretch_products = 1e13;
enum { least_queries = 8192 };

static int64_t count_of(const ald_rows *rows)
{
    return rows->which ? rows->count : rows->z->x.rows;
}

/* The row numbers of a stretch of queries; NULL: all rows in their order. */
static ald_status stretch(ald_run *run, const ald_rows *queries, int64_t first, int64_t count,
                          const int64_t **which)
{
    int64_t *made;
    *which = queries->which ? queries->which + first : NULL;
    if (queries->which || count == count_of(queries)) return ALD_OK;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *made, &made));
    for (int64_t i = 0; i < count; i++) made[i] = first + i;
    *which = made;
    return ALD_OK;
}

static ald_status search(ald_run *run, const ald_rows *queries, const ald_rows *references,
                         ald_card_nearest asked, int *failed)
{
    const ald_device *device = run->context->device;
    const ald_operator points = {
        .x = queries->z->x,
        .row_shift = queries->z->row_shift,
        .row_factor = queries->z->row_factor,
    };
    const ald_held *held;
    const ald_card_rows rows = ald_card_rows_of(run, &points, &held);
    const int64_t n = count_of(queries);
    const double each = (double)asked.n_references * (double)rows.d;
    const int64_t step = ald_least(
        n, each * least_queries > stretch_products ? least_queries : (int64_t)(stretch_products / each));
    asked.references = references->which;
    for (int64_t first = 0; first < n && !*failed; first += step) {
        asked.n_queries = ald_least(step, n - first);
        ALD_TRY(ald_progress(run, "searching neighbours", (double)first / (double)n));
        ALD_TRY(stretch(run, queries, first, asked.n_queries, &asked.queries));
        ALD_TRY(ald_card_outcome(run, held, device->table->nearest(device->card, &rows, &asked), failed));
        asked.neighbours += asked.n_queries * asked.k;
        asked.squares += asked.n_queries * asked.k;
    }
    return *failed ? ALD_OK : ald_progress(run, "searching neighbours", 1.0);
}

ald_status ald_nearest_on_card(ald_run *run, const ald_rows *queries, const ald_rows *references, int64_t k,
                               int skip_same, int64_t *neighbours, double *squares, int *done)
{
    const ald_device *device = run->context->device;
    const ald_operator *z = queries->z;
    const ald_held *before = run->call.held;
    const int64_t n = count_of(references);
    const double products = (double)count_of(queries) * (double)n * (double)z->x.cols;
    int64_t first;
    int failed = 0;
    *done = 0;
    if (!device || z->x.storage != ALD_DENSE || z != references->z || z->source || z->all || k < 1 ||
        k > ALD_CARD_MOST_NEAREST || (!device->always && products < least_products))
        return ALD_OK;
    ALD_TRY(ald_card_hold_now(run, &z->x));
    if (!ald_card_find(run, &z->x, &first)) return ALD_OK;
    const ald_card_nearest asked = {
        .scale = z->inverse_scale,
        .n_references = n,
        .k = k,
        .skip_same = skip_same,
        .neighbours = neighbours,
        .squares = squares,
    };
    const ald_status status = search(run, queries, references, asked, &failed);
    ald_card_release(run, before);
    *done = !failed;
    return status;
}
