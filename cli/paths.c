/* The files that a command names: found by the tables of options and operands, so that a new option joins by
 * itself. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file of the command. */
typedef struct named_path {
    const char *path;
    const char *named; /* the option as it was spelled, or the operand: -o, DATA */
    unsigned access;   /* CLI_READS, CLI_WRITES or both */
    int operand;       /* counted from 1; 0: an option */
    int in_place;      /* may replace the first operand */
} named_path;

typedef struct path_list {
    named_path *list;
    int count;
} path_list;

static void add(path_list *paths, const named_path *path)
{
    if (path->path && path->access) paths->list[paths->count++] = *path;
}

static void collect(const cli_session *session, path_list *paths)
{
    const cli_args *args = &session->args;
    for (int i = 0; i < args->n_operands; i++) {
        const int entry = i < session->verb->max_operands ? i : session->verb->max_operands - 1;
        add(paths, &(named_path){
                       .path = args->operands[i],
                       .named = session->verb->operands[entry],
                       .access = session->verb->operand_access[entry],
                       .operand = i + 1,
                   });
    }
    for (int i = 0; i < args->n_given; i++) {
        const cli_given *given = &args->given[i];
        for (int k = 0; given->option && k < CLI_MAX_VALUES; k++)
            add(paths, &(named_path){
                           .path = given->values[k],
                           .named = given->spelled,
                           .access = given->option->access,
                           .in_place = given->option->in_place,
                       });
    }
}

static int is_standard(const named_path *path)
{
    return strcmp(path->path, "-") == 0;
}

static int check_standard_input(cli_session *session, const path_list *paths)
{
    int standard = 0;
    for (int i = 0; i < paths->count; i++)
        standard += (paths->list[i].access & CLI_READS) && is_standard(&paths->list[i]);
    if (standard < 2) return CLI_DONE;
    return cli_usage(session, "- (standard input) is given for more than one file; it can be read only once");
}

/* Pipes and devices are not replaced, so they can be named twice. */
static int is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

static int refuse_outputs(cli_session *session, const named_path *a, const named_path *b)
{
    if (strcmp(a->named, b->named) == 0 && strcmp(a->path, b->path) == 0)
        return cli_usage(session, "%s names %s twice; give two files", a->named, a->path);
    if (strcmp(a->path, b->path) == 0)
        return cli_usage(session, "%s and %s both name %s; give two files", a->named, b->named, a->path);
    return cli_usage(session, "%s %s and %s %s are one file; give two files", a->named, a->path, b->named,
                     b->path);
}

/* Two reads are fine. What is written may neither be read nor be written by another; a journal is both. */
static int check_pair(cli_session *session, const named_path *a, const named_path *b)
{
    if (!((a->access | b->access) & CLI_WRITES) || is_standard(a) || is_standard(b)) return CLI_DONE;
    if ((a->in_place && b->operand == 1) || (b->in_place && a->operand == 1)) return CLI_DONE;
    if (!ald_same_file(a->path, b->path) || is_special(a->path)) return CLI_DONE;
    if (a->access & b->access & CLI_WRITES) return refuse_outputs(session, a, b);
    const named_path *written = a->access & CLI_WRITES ? a : b, *read = written == a ? b : a;
    return cli_usage(session, "%s would overwrite %s, which is an input; name another file", written->path,
                     read->path);
}

/* Copies the folder of the path; 0 if it is too long. */
static int folder_of(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/');
    const size_t length = !slash || slash == path ? 1 : (size_t)(slash - path);
    if (length >= size) return 0;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = '\0';
    return 1;
}

/* Why no file can be made in it, as an errno; 0: one can. */
static int folder_problem(const char *folder)
{
    struct stat info;
    if (stat(folder, &info) != 0) return errno;
    if (!S_ISDIR(info.st_mode)) return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

/* The new file is made beside the old one, so both must be writable. */
static int check_folder(cli_session *session, const char *path, int exists)
{
    char folder[4096];
    if (!folder_of(path, folder, sizeof folder))
        return cli_fail(session, "cannot write %.60s...: the name is too long", path);
    const int reason = folder_problem(folder);
    if (reason) return cli_fail(session, "cannot write %s: folder %s: %s", path, folder, strerror(reason));
    if (exists && access(path, W_OK) != 0)
        return cli_fail(session, "cannot write %s: %s", path, strerror(errno));
    return CLI_DONE;
}

static int check_writable(cli_session *session, const char *path)
{
    struct stat info;
    if (strcmp(path, "-") == 0) return CLI_DONE;
    if (!*path) return cli_usage(session, "the name of the output file is empty");
    const int exists = stat(path, &info) == 0;
    if (!exists && errno != ENOENT && errno != ENOTDIR)
        return cli_fail(session, "cannot write %.300s: %s", path, strerror(errno));
    if (exists && S_ISDIR(info.st_mode))
        return cli_fail(session, "cannot write %s: it is a directory; name a file", path);
    if (exists && !S_ISREG(info.st_mode)) return CLI_DONE;
    return check_folder(session, path, exists);
}

static int check(cli_session *session, const path_list *paths)
{
    CLI_TRY(check_standard_input(session, paths));
    for (int i = 0; i < paths->count; i++)
        for (int k = i + 1; k < paths->count; k++)
            CLI_TRY(check_pair(session, &paths->list[i], &paths->list[k]));
    for (int i = 0; i < paths->count; i++)
        if (paths->list[i].access & CLI_WRITES) CLI_TRY(check_writable(session, paths->list[i].path));
    return CLI_DONE;
}

int cli_paths_check(cli_session *session)
{
    const cli_args *args = &session->args;
    const size_t most = (size_t)args->n_operands + (size_t)args->n_given * CLI_MAX_VALUES;
    path_list paths = {.list = calloc(most + 1, sizeof *paths.list)};
    if (!paths.list) return cli_out_of_memory(session);
    collect(session, &paths);
    const int code = check(session, &paths);
    free(paths.list);
    return code;
}
