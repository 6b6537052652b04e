/* The context: number of threads, allocator, log and progress function. Create one per thread, or share one:
 * calls only read it. Objects created with it (models, datasets, settings, results) may outlive it, but the
 * allocator's `user` must outlive them. */
#ifndef ALIDADE_CONTEXT_H
#define ALIDADE_CONTEXT_H

#include <alidade/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* realloc-like: resize(user, NULL, size) allocates, resize(user, p, 0) frees and returns NULL. Thread-safe.
 */
typedef struct ald_allocator {
    void *(*resize)(void *user, void *block, size_t size);
    void *user;
} ald_allocator;

typedef enum ald_log_level { ALD_LOG_WARNING = 0, ALD_LOG_INFO = 1, ALD_LOG_DEBUG = 2 } ald_log_level;

typedef struct ald_options {
    size_t size;
    int threads;             /* 0: OMP_NUM_THREADS, or one per processor that the process may use */
    const char *backend;     /* "openblas" (NULL), or "plain": loops that need no library */
    ald_allocator allocator; /* resize NULL: the C library's */
    /* Called with one line, without a trailing newline. NULL: no log. */
    void (*log)(void *user, ald_log_level level, const char *line);
    void *log_user;
    /* Called several times a second from the calling thread, with the current stage and the completed
     * fraction of the whole call, 0 to 1 (negative: not known yet). The fraction never decreases and reaches
     * 1 when the call succeeds. A nonzero return value cancels the call, which then returns
     * ALD_ERROR_CANCELLED within about half a second. A large decomposition in progress cannot be
     * interrupted: its thread is abandoned, finishes on its own and then frees its own memory, without
     * touching anything of the caller's. exit() waits for it. */
    int (*progress)(void *user, const char *stage, double done);
    void *progress_user;
    size_t max_memory; /* limit on the bytes in use; 0: what the machine or its container has */
} ald_options;
#define ALD_OPTIONS_INIT ALD_INIT(ald_options)

typedef struct ald_context ald_context;

/* `options` may be NULL. */
ALD_API ald_status ald_context_new(const ald_options *options, ald_context **context, ald_error *error);
/* The same context with another progress function (NULL: none), so that threads that share a context can each
 * have their own. `user` is passed to the function. The new context costs one small allocation, is freed like
 * any other, and may outlive `context`. */
ALD_API ald_status ald_context_with_progress(const ald_context *context,
                                             int (*progress)(void *user, const char *stage, double done),
                                             void *user, ald_context **derived, ald_error *error);
/* The same with another log (NULL: none), which may be called from several threads at once. */
ALD_API ald_status ald_context_with_log(const ald_context *context,
                                        void (*log)(void *user, ald_log_level level, const char *line),
                                        void *user, ald_context **derived, ald_error *error);
ALD_API void ald_context_free(ald_context *context);
ALD_API int ald_context_threads(const ald_context *context);

/* Files that belong together. After hold, what is written with this context (models, tables, texts) is
 * finished under temporary names; place puts all in their places. Old files of the same names are removed
 * before the first new one appears, but for that of the file written first, which is replaced: if the process
 * is killed on the way, others may be missing, but there are never old ones beside new ones. drop removes
 * what is held, and so does freeing the context. Standard output, pipes and devices are written at once. A
 * context that holds outputs is for one thread. */
ALD_API ald_status ald_outputs_hold(ald_context *context, ald_error *error);
ALD_API ald_status ald_outputs_place(ald_context *context, ald_error *error);
ALD_API void ald_outputs_drop(ald_context *context);

#ifdef __cplusplus
}
#endif
#endif
