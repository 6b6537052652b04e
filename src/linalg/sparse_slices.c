#include "linalg/sparse_slices.h"

#include "linalg/operator.h"
#include "threads/threads.h"

int64_t ald_slice_count(const ald_matrix *x)
{
    return x->storage == ALD_CSR ? x->rows : x->cols;
}

int64_t ald_slice_begin(const ald_matrix *x, int64_t s)
{
    return x->index_bits == 32 ? ((const int32_t *)x->pointers)[s] : ((const int64_t *)x->pointers)[s];
}

static int64_t longest_slice(const ald_matrix *x)
{
    int64_t longest = 0;
    for (int64_t s = 0; s < ald_slice_count(x); s++) {
        const int64_t count = ald_slice_begin(x, s + 1) - ald_slice_begin(x, s);
        if (count > longest) longest = count;
    }
    return longest;
}

ald_status ald_slice_buffer_new(ald_run *run, const ald_matrix *x, ald_slice_buffer *buffer)
{
    const int64_t size = x->index_bits == 64 && x->type == ALD_F64 ? 0 : longest_slice(x);
    ALD_TRY(ald_scratch(run, size, 1, sizeof *buffer->indices, &buffer->indices));
    return ald_scratch_reals(run, size, 1, &buffer->values);
}

ald_slice ald_slice_at(const ald_matrix *x, int64_t s, const ald_slice_buffer *buffer)
{
    const int64_t begin = ald_slice_begin(x, s), count = ald_slice_begin(x, s + 1) - begin;
    ald_slice out = {count, buffer->indices, buffer->values};
    if (x->index_bits == 64)
        out.indices = (const int64_t *)x->indices + begin;
    else
        for (int64_t i = 0; i < count; i++) buffer->indices[i] = ((const int32_t *)x->indices)[begin + i];
    if (x->type == ALD_F64)
        out.values = (const double *)x->values + begin;
    else
        for (int64_t i = 0; i < count; i++) buffer->values[i] = (double)((const float *)x->values)[begin + i];
    return out;
}

int64_t ald_slices_first(const ald_matrix *x, int parts, int part)
{
    const int64_t entries = ald_slice_begin(x, 0) + ald_part_begin(ald_matrix_entries(x), parts, part);
    int64_t low = 0, high = ald_slice_count(x);
    if (part == parts) return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ald_slice_begin(x, middle) < entries)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
