/* A reader in a child process: its limits, what it sends, and how that is checked. */
#include "io/reading/table_child.h"

#include "io/files/temporary.h"
#include "io/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { longest_name = 4096 };

/* What goes over the pipe first. Then the message of a failure; or the cells, or pointers, indices and
 * values; and the names of the target columns, longest_name bytes each. */
typedef struct letter {
    int64_t status, rows, cols, sparse, targets;
    char message[ALD_MESSAGE_SIZE];
} letter;

/* --- the child --- */

static void *child_resize(void *user, void *block, size_t size)
{
    (void)user;
    if (size > 0) return realloc(block, size);
    free(block);
    return NULL;
}

static int sent(int pipe, const void *bytes, size_t size)
{
    return ald_write_fully(&ald_real_system, pipe, bytes, size) == 0;
}

static int send_names(int pipe, const ald_table *table)
{
    char name[longest_name];
    int good = 1;
    for (int64_t j = table->cols - table->n_target_columns; good && j < table->cols; j++) {
        const char *given = table->columns && table->columns[j].name ? table->columns[j].name : "";
        memset(name, 0, sizeof name);
        memcpy(name, given, strnlen(given, sizeof name - 1));
        good = sent(pipe, name, sizeof name);
    }
    return good;
}

static int send_table(int pipe, const ald_table *t)
{
    int good = 1;
    if (t->sparse) {
        const size_t entries = (size_t)t->pointers[t->rows];
        good = sent(pipe, t->pointers, (size_t)(t->rows + 1) * sizeof *t->pointers) &&
               sent(pipe, t->indices, entries * sizeof *t->indices) &&
               sent(pipe, t->values, entries * sizeof *t->values);
    } else {
        good = sent(pipe, t->cells, (size_t)t->rows * (size_t)t->cols * sizeof *t->cells);
    }
    return good && send_names(pipe, t);
}

/* Memory and time in proportion to the file, no core dump, nobody's terminal, and the signals of a new
 * program. */
static void set_limits(const char *path)
{
    struct stat about;
    const rlim_t size = stat(path, &about) == 0 && about.st_size > 0 ? (rlim_t)about.st_size : 0;
    const struct rlimit none = {0, 0}, memory = {(8UL << 30) + 64 * size, (8UL << 30) + 64 * size},
                        seconds = {20 + size / 1000000, 20 + size / 1000000};
    setrlimit(RLIMIT_CORE, &none);
#ifndef ALD_SANITIZED /* whose shadow of the memory takes terabytes of addresses */
    setrlimit(RLIMIT_AS, &memory);
#else
    (void)memory;
#endif
    setrlimit(RLIMIT_CPU, &seconds);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
}

static void be_child(int pipe, ald_table_fn read, const char *path, const ald_load_options *options)
{
    const ald_context context = {.allocator = {child_resize, NULL}, .threads = 1};
    ald_run run;
    ald_arena arena;
    ald_error error;
    letter first = {0};
    set_limits(path);
    ald_run_begin(&run, &context, &error);
    ald_arena_init(&arena, &context.allocator);
    ald_table table = {.arena = &arena, .source = path};
    first.status = read(&run, path, options, &table);
    memcpy(first.message, error.message, sizeof first.message);
    first.rows = table.rows;
    first.cols = table.cols;
    first.sparse = table.sparse;
    first.targets = table.n_target_columns;
    const int good = sent(pipe, &first, sizeof first) && (first.status < 0 || send_table(pipe, &table));
    _exit(good ? 0 : 1);
}

/* --- the parent --- */

static ald_status broken(ald_run *run)
{
    return ald_fail(run->error, ALD_ERROR_FORMAT,
                    "the file is damaged: the library that reads it gave up or crashed");
}

static ald_status receive(ald_run *run, int pipe, void *bytes, size_t size)
{
    char *at = bytes;
    while (size) {
        const size_t most = 1 << 24, part = size < most ? size : most;
        const ssize_t got = read(pipe, at, part);
        ALD_TRY(ald_progress(run, "reading", -1.0));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return broken(run);
        at += got;
        size -= (size_t)got;
    }
    return ALD_OK;
}

static ald_status receive_array(ald_run *run, int pipe, ald_arena *arena, int64_t a, int64_t b, void *array)
{
    void *got;
    ALD_TRY(ald_get(run, arena, a, b, 8, &got));
    memcpy(array, &got, sizeof got);
    return receive(run, pipe, got, (size_t)a * (size_t)b * 8);
}

static int rows_are_sound(const ald_table *t)
{
    for (int64_t i = 0; i < t->rows; i++)
        for (int64_t e = t->pointers[i]; e < t->pointers[i + 1]; e++)
            if (t->indices[e] < 0 || t->indices[e] >= t->cols ||
                (e > t->pointers[i] && t->indices[e] <= t->indices[e - 1]))
                return 0;
    return 1;
}

static ald_status receive_sparse(ald_run *run, int pipe, ald_table *t)
{
    if (t->rows == INT64_MAX) return broken(run);
    ALD_TRY(receive_array(run, pipe, t->arena, t->rows + 1, 1, &t->pointers));
    if (t->pointers[0] != 0) return broken(run);
    for (int64_t i = 0; i < t->rows; i++)
        if (t->pointers[i + 1] < t->pointers[i]) return broken(run);
    const int64_t entries = t->pointers[t->rows];
    ALD_TRY(receive_array(run, pipe, t->arena, entries, 1, &t->indices));
    ALD_TRY(receive_array(run, pipe, t->arena, entries, 1, &t->values));
    return rows_are_sound(t) ? ALD_OK : broken(run);
}

static ald_status receive_names(ald_run *run, int pipe, ald_table *t)
{
    char name[longest_name];
    if (t->n_target_columns == 0) return ALD_OK;
    ALD_TRY(ald_table_make_columns(run, t));
    for (int64_t j = t->cols - t->n_target_columns; j < t->cols; j++) {
        ALD_TRY(receive(run, pipe, name, sizeof name));
        const size_t length = strnlen(name, sizeof name - 1);
        ALD_TRY(ald_keep_text(run, t->arena, name, length, &t->columns[j].name));
    }
    return ALD_OK;
}

static ald_status receive_table(ald_run *run, int pipe, ald_table *t)
{
    letter first;
    ALD_TRY(receive(run, pipe, &first, sizeof first));
    first.message[sizeof first.message - 1] = '\0';
    if (first.status < 0 && first.status >= ALD_ERROR_CANCELLED && first.message[0])
        return ald_fail(run->error, (ald_status)first.status, "%s", first.message);
    if (first.status < 0 || first.rows < 0 || first.cols < 0 || first.targets < 0 ||
        first.targets > first.cols)
        return broken(run);
    t->rows = first.rows;
    t->cols = first.cols;
    t->sparse = first.sparse != 0;
    t->n_target_columns = first.targets;
    if (t->sparse)
        ALD_TRY(receive_sparse(run, pipe, t));
    else
        ALD_TRY(receive_array(run, pipe, t->arena, t->rows, t->cols, &t->cells));
    ALD_TRY(receive_names(run, pipe, t));
    ald_table_count_numbers(t);
    return ALD_OK;
}

ald_status ald_table_read_in_child(ald_run *run, ald_table_fn read, const char *path,
                                   const ald_load_options *options, ald_table *table)
{
    int ends[2];
    if (pipe(ends) != 0) return ald_fail(run->error, ALD_ERROR_IO, "cannot be read: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(ends[1], read, path, options);
    }
    close(ends[1]);
    const ald_status status =
        child > 0
            ? receive_table(run, ends[0], table)
            : ald_fail(run->error, ALD_ERROR_IO, "cannot be read in a separate process: %s", strerror(errno));
    close(ends[0]);
    if (child > 0) kill(child, SIGKILL);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return status;
}
