/* numpy's array file, version 1.0: little-endian doubles, row major. */
#include "io/writing/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ald_status write_header(ald_run *run, const ald_write_job *job, int64_t cols)
{
    /* Magic, version and length are 10 bytes; the whole header fills a multiple of 64. */
    enum { fixed = 10, alignment = 64 };
    char header[4 * alignment];
    const int64_t rows = job->total ? job->total : job->n;
    if (job->is_rest) return ALD_OK;
    memset(header, ' ', sizeof header);
    const int length = snprintf(header + fixed, sizeof header - fixed,
                                "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %lld), }",
                                (long long)rows, (long long)cols);
    const size_t size = ((size_t)(fixed + length + 1) + alignment - 1) / alignment * alignment;
    header[fixed + length] = ' ';
    header[size - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)(size - fixed);
    header[9] = 0;
    return ald_output_write(run, job->output, header, size);
}

/* Missing cells become NaN. */
static ald_status check_row(ald_run *run, const ald_write_job *job, const ald_row_source *source, int64_t i,
                            const double *row, double *numbers)
{
    for (int64_t j = 0; j < source->cols; j++) {
        const int64_t own = j - source->lead;
        if (isnan(row[j]) && own >= 0 && ald_write_text_of(job->table, own, row[j]))
            return ald_write_refuse(run, job->table, "npy", i, own, row[j]);
        numbers[j] = isnan(row[j]) ? (double)NAN : row[j];
    }
    return ALD_OK;
}

static void to_little_endian(double *numbers, int64_t n)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int64_t j = 0; j < n; j++) {
        uint64_t bits;
        memcpy(&bits, &numbers[j], sizeof bits);
        bits = __builtin_bswap64(bits);
        memcpy(&numbers[j], &bits, sizeof bits);
    }
#else
    (void)numbers;
    (void)n;
#endif
}

ald_status ald_write_npy(ald_run *run, const ald_write_job *job)
{
    ald_row_source source;
    double *numbers;
    ALD_TRY(ald_row_source_begin(run, job->table, &source));
    ALD_TRY(ald_scratch_reals(run, source.cols, 1, &numbers));
    ALD_TRY(write_header(run, job, source.cols));
    for (int64_t i = 0; i < job->n; i++) {
        ALD_TRY(ald_write_progress(run, job, i));
        const int64_t row = ald_write_row(job, i);
        ALD_TRY(check_row(run, job, &source, row, ald_row_source_get(&source, row), numbers));
        to_little_endian(numbers, source.cols);
        ALD_TRY(ald_output_write(run, job->output, numbers, (size_t)source.cols * sizeof *numbers));
    }
    return ALD_OK;
}
