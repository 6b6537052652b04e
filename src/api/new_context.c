/* The context and the views: what a caller makes before anything else. */
#include "base/core/context.h"

#include "base/core/budget.h"
#include "base/core/error.h"
#include "base/settings/options.h"
#include "base/threads/processors.h"
#include "io/files/temporary.h"
#include "math/backend/backend.h"
#include "math/backend/blas_room.h"
#include "math/backend/kernels.h"
#include "methods/moments/moments.h"

#include <alidade/matrix.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* About a tenth of a second; OpenBLAS takes three times as long with old kernels. */
static double usual_patience(void)
{
    const double operations = 5e8, slowness = 3.0;
    return ald_blas_is_slow() ? operations / slowness : operations;
}

/* Large blocks in large pages, where the system has them for those who ask: touching a block of 80 MB for the
 * first time takes 20000 interruptions otherwise, and a kernel matrix that is written along its columns needs
 * another page for every entry. A block with a mapping of its own is named as a whole, since one in parts
 * could not grow where it is. */
static void *with_large_pages(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    const size_t large = (size_t)16 << 20, page = (size_t)sysconf(_SC_PAGESIZE);
    if (!block || size < large) return block;
    const uintptr_t begin = (uintptr_t)block / page * page,
                    end = ((uintptr_t)block + size + page - 1) / page * page;
    madvise((void *)begin, end - begin, MADV_HUGEPAGE); /* nothing is lost if it fails */
#else
    (void)size;
#endif
    return block;
}

static void *standard_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size > 0) return with_large_pages(realloc(block, size), size);
    free(block);
    return NULL;
}

/* Where OpenBLAS was loaded before the library, which leaves it alone then. */
static void warn_of_kernels(const ald_options *o)
{
    const char *faster = o->log ? ald_backend_faster() : NULL;
    char line[ALD_MESSAGE_SIZE];
    if (!faster) return;
    snprintf(line, sizeof line,
             "OpenBLAS does not know this processor and computes several times slower than it could: set the "
             "environment variable OPENBLAS_CORETYPE to %s before the program starts",
             faster);
    o->log(o->log_user, ALD_LOG_WARNING, line);
}

ald_status ald_context_new(const ald_options *options, ald_context **context, ald_error *error)
{
    ald_options o;
    if (context) *context = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    ALD_TRY(ALD_OPTIONS_READ(error, ald_options, options, &o));
    ald_allocator allocator = o.allocator;
    if (!allocator.resize) allocator.resize = standard_resize;
    if (o.threads < 0 || o.threads > 256)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "threads must be a whole number from 0 (one per processor) to 256, not %d",
                        o.threads);
    const ald_backend *backend = ald_backend_find(o.backend);
    if (!backend)
        return ald_fail(error, ALD_ERROR_ARGUMENT, "unknown backend '%.40s'; choose openblas or plain",
                        o.backend);
    ald_budget *budget = ald_budget_new(&allocator, o.max_memory ? o.max_memory : ald_machine_memory());
    const ald_allocator counted = budget ? ald_budget_allocator(budget) : allocator;
    ald_context *made = budget ? counted.resize(counted.user, NULL, sizeof *made) : NULL;
    if (!made) {
        const ald_status status = ald_no_memory_for(error, budget, "a context");
        if (budget) allocator.resize(allocator.user, budget, 0);
        return status;
    }
    *made = (ald_context){
        .allocator = counted,
        .budget = budget,
        .threads = ald_blas_threads(o.threads > 0 ? o.threads : ald_default_threads()),
        .backend = backend,
        .system = &ald_real_system,
        .log = o.log,
        .log_user = o.log_user,
        .progress = o.progress,
        .progress_user = o.progress_user,
        .most_square = ALD_SQUARE_ORDER,
        .patience = usual_patience(),
    };
    *context = made;
    warn_of_kernels(&o);
    return ALD_OK;
}

/* A copy; what is written with it appears at once, as outputs that are held are the other's. */
static ald_status context_derive(const ald_context *context, ald_context **derived, ald_error *error)
{
    ald_context *made = context->allocator.resize(context->allocator.user, NULL, sizeof *made);
    if (!made) return ald_no_memory_for(error, context->budget, "a context");
    *made = *context;
    made->between.batch = NULL;
    *derived = made;
    return ALD_OK;
}

ald_status ald_context_with_progress(const ald_context *context,
                                     int (*progress)(void *user, const char *stage, double done), void *user,
                                     ald_context **derived, ald_error *error)
{
    if (derived) *derived = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context, derived);
    ALD_TRY(context_derive(context, derived, error));
    (*derived)->progress = progress;
    (*derived)->progress_user = user;
    return ALD_OK;
}

ald_status ald_context_with_log(const ald_context *context,
                                void (*log)(void *user, ald_log_level level, const char *line), void *user,
                                ald_context **derived, ald_error *error)
{
    if (derived) *derived = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, context, derived);
    ALD_TRY(context_derive(context, derived, error));
    (*derived)->log = log;
    (*derived)->log_user = user;
    return ALD_OK;
}

void ald_context_free(ald_context *context)
{
    if (!context) return;
    const ald_allocator allocator = context->allocator;
    ald_outputs_drop(context);
    allocator.resize(allocator.user, context, 0);
}

int ald_context_threads(const ald_context *context)
{
    return context ? context->threads : 0;
}

const char *ald_build_features(void)
{
    return "zlib"
#ifdef ALD_HAVE_MATIO
           " matio"
#endif
#ifdef ALD_HAVE_QHULL
           " qhull"
#endif
#ifdef ALD_HAVE_HNSW
           " hnswlib"
#endif
        ;
}

ald_matrix ald_matrix_row_major(const double *values, int64_t rows, int64_t cols, int64_t stride)
{
    return (ald_matrix){.rows = rows, .cols = cols, .values = values, .row_stride = stride, .col_stride = 1};
}

ald_matrix ald_matrix_column_major(const double *values, int64_t rows, int64_t cols, int64_t stride)
{
    return (ald_matrix){.rows = rows, .cols = cols, .values = values, .row_stride = 1, .col_stride = stride};
}

ald_matrix ald_matrix_csr(int64_t rows, int64_t cols, const int64_t *pointers, const int64_t *indices,
                          const double *values)
{
    return (ald_matrix){
        .storage = ALD_CSR,
        .rows = rows,
        .cols = cols,
        .values = values,
        .pointers = pointers,
        .indices = indices,
        .index_bits = 64,
    };
}

ald_target ald_target_classes(const int32_t *classes, int64_t rows, int64_t n_classes)
{
    return (ald_target){.kind = ALD_TARGET_CLASSES, .rows = rows, .classes = classes, .n_classes = n_classes};
}

ald_target ald_target_real(ald_matrix values)
{
    return (ald_target){.kind = ALD_TARGET_REAL, .rows = values.rows, .values = values};
}

ald_target ald_target_labels(ald_matrix values)
{
    return (ald_target){.kind = ALD_TARGET_LABELS, .rows = values.rows, .values = values};
}
