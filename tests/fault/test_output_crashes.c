/* Outputs, when the process is ended or a system call fails at any of the calls that write them: one file is
 * the old one or the new one; of two that belong together the second may be missing, but never is one old and
 * the other new; and the next command leaves nothing else. */
#include "io/files/output.h"
#include "io/files/temporary.h"
#include "support/reading.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ended = 9 };

static char folder[64], paths[2][1024], folders[2][256];

/* The call at which it happens, and what: an end or a failure. */
static int calls, fatal_call, failing_call;

static int strikes(void)
{
    calls++;
    if (calls == fatal_call) _exit(ended);
    errno = EIO;
    return calls == failing_call;
}

static int striking_open(const char *path, int flags, mode_t mode)
{
    return strikes() ? -1 : ald_real_system.open(path, flags, mode);
}

static ssize_t striking_write(int file, const void *bytes, size_t size)
{
    return strikes() ? -1 : ald_real_system.write(file, bytes, size);
}

static int striking_fsync(int file)
{
    return strikes() ? -1 : ald_real_system.fsync(file);
}

/* As on NFS: the descriptor is gone though an error is reported. */
static int striking_close(int file)
{
    const int struck = strikes();
    const int result = ald_real_system.close(file);
    if (struck) errno = EIO;
    return struck ? -1 : result;
}

static int striking_rename(const char *from, const char *to)
{
    return strikes() ? -1 : ald_real_system.rename(from, to);
}

static int striking_unlink(const char *path)
{
    return strikes() ? -1 : ald_real_system.unlink(path);
}

static int striking_lock(int file, int operation)
{
    return strikes() ? -1 : ald_real_system.lock(file, operation);
}

static const ald_system striking_system = {
    striking_open,   striking_write,  striking_fsync, striking_close,
    striking_rename, striking_unlink, striking_lock,
};

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    const size_t size = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    return size == strlen(text) && memcmp(got, text, size) == 0;
}

static int count_files(const char *where)
{
    int count = 0;
    DIR *open = opendir(where);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return count;
}

/* Two files in one folder, or in two. */
static void begin(int apart)
{
    strcpy(folder, "/tmp/ald-crash-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int k = 0; k < 2; k++) {
        snprintf(folders[k], sizeof folders[k], "%s/%d", folder, apart ? k : 0);
        mkdir(folders[k], 0755);
        snprintf(paths[k], sizeof paths[k], "%s/file%d", folders[k], k);
        put(paths[k], "old");
    }
}

static void finish(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static ald_status write_files(ald_run *run, ald_output *outputs[2], int count)
{
    for (int k = 0; k < count; k++) {
        ALD_TRY(ald_output_open(run, paths[k], 0, &outputs[k]));
        ALD_TRY(ald_output_write(run, outputs[k], "new", 3));
    }
    return ald_outputs_commit(run, outputs, count);
}

/* `count` 2: files that belong together; 1: the first of them only. */
static ald_status write_striking(int count, int *placed)
{
    reading r;
    ald_output *outputs[2] = {NULL, NULL};
    reading_begin(&r);
    r.context.system = &striking_system;
    calls = 0;
    const ald_status status = write_files(&r.run, outputs, count);
    for (int k = 0; k < count; k++) ald_output_abandon(outputs[k]);
    *placed = status >= 0 || strstr(r.error.message, "is in its place") != NULL;
    reading_end(&r);
    return status;
}

/* The next command that writes in the folders. */
static void come_back(void)
{
    reading r;
    ald_output *output = NULL;
    char path[1100];
    reading_begin(&r);
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/another", folders[k]);
        assert_int_equal(ald_output_open(&r.run, path, 0, &output), ALD_OK);
        ald_output_abandon(output);
    }
    reading_end(&r);
}

/* Returns how many are new. */
static int assert_one_kind(int call, int apart)
{
    int news = 0, olds = 0, missing = 0;
    for (int k = 0; k < 2; k++) {
        news += holds(paths[k], "new");
        olds += holds(paths[k], "old");
        missing += access(paths[k], F_OK) != 0;
    }
    if (news + olds + missing != 2) fail_msg("call %d: a damaged file", call);
    if (news && olds) fail_msg("call %d: one new file and one old one", call);
    if (access(paths[0], F_OK) != 0) fail_msg("call %d: the first file is missing", call);
    const int files = count_files(folders[0]) + (apart ? count_files(folders[1]) : 0);
    if (files != news + olds) fail_msg("call %d: %d files, expected %d", call, files, news + olds);
    return news;
}

static void kill_at_every_call(int apart)
{
    int done = 0, call = 0, seen[3] = {0, 0, 0};
    while (!done) {
        begin(apart);
        fatal_call = ++call;
        const pid_t child = fork();
        int status, placed;
        if (child == 0) _exit(write_striking(2, &placed) < 0);
        waitpid(child, &status, 0);
        assert_true(WIFEXITED(status));
        done = WEXITSTATUS(status) == 0;
        assert_true(done || WEXITSTATUS(status) == ended);
        come_back();
        seen[assert_one_kind(call, apart)]++;
        finish();
    }
    fatal_call = 0;
    assert_in_range(call, 16, 200);
    assert_true(seen[0] > 8 && seen[1] > 0 && seen[2] > 2);
}

static void ended_anywhere_in_one_folder(void **state)
{
    (void)state;
    kill_at_every_call(0);
}

static void ended_anywhere_in_two_folders(void **state)
{
    (void)state;
    kill_at_every_call(1);
}

/* A call that fails once gives an error or changes nothing; success means that the new files are there. */
static void failing_anywhere(void **state)
{
    (void)state;
    for (int apart = 0; apart < 2; apart++) {
        int successes = 0, failures = 0, placed;
        for (int call = 1; call <= 40; call++) {
            begin(apart);
            failing_call = call;
            const ald_status status = write_striking(2, &placed);
            failing_call = 0;
            come_back();
            const int news = assert_one_kind(call, apart);
            assert_true(status < 0 || news == 2);
            failures += status < 0;
            successes += status >= 0;
            finish();
        }
        assert_true(failures > 8 && successes > 8);
    }
}

/* A single file is then the old one, unless the error says that the new one is in its place. */
static void failing_anywhere_alone(void **state)
{
    (void)state;
    int failures = 0, placed_failures = 0;
    for (int call = 1; call <= 20; call++) {
        int placed;
        begin(0);
        failing_call = call;
        const ald_status status = write_striking(1, &placed);
        failing_call = 0;
        assert_true(holds(paths[0], placed ? "new" : "old"));
        assert_true(holds(paths[1], "old"));
        failures += status < 0;
        placed_failures += status < 0 && placed;
        come_back();
        assert_int_equal(count_files(folders[0]), 2);
        finish();
    }
    assert_true(failures > 4);
    assert_int_equal(placed_failures, 2); /* opening the folder, and syncing it */
}

static void only_what_is_abandoned_is_removed(void **state)
{
    (void)state;
    reading r;
    ald_output *first = NULL, *second = NULL;
    begin(0);
    const pid_t child = fork();
    if (child == 0) {
        reading_begin(&r);
        _exit(ald_output_open(&r.run, paths[0], 0, &first) < 0 ? 1 : 0);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(count_files(folders[0]), 3);
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, paths[0], 0, &first), ALD_OK);
    assert_int_equal(count_files(folders[0]), 3);
    assert_int_equal(ald_output_open(&r.run, paths[1], 0, &second), ALD_OK);
    assert_int_equal(count_files(folders[0]), 4);
    assert_int_equal(ald_output_write(&r.run, first, "1", 1), ALD_OK);
    assert_int_equal(ald_output_commit(&r.run, first), ALD_OK);
    assert_int_equal(ald_output_commit(&r.run, second), ALD_OK);
    assert_true(holds(paths[0], "1"));
    assert_int_equal(count_files(folders[0]), 2);
    reading_end(&r);
    finish();
}

/* The path of a temporary file in the first folder, or NULL. */
static const char *find_temporary(void)
{
    static char path[1100];
    DIR *open = opendir(folders[0]);
    assert_non_null(open);
    path[0] = '\0';
    for (const struct dirent *entry; (entry = readdir(open));)
        if (strncmp(entry->d_name, ".alidade-", 9) == 0)
            snprintf(path, sizeof path, "%s/%s", folders[0], entry->d_name);
    closedir(open);
    return path[0] ? path : NULL;
}

/* What is called otherwise, is no plain file or is a link stays, and so does what a link points at. */
static void only_temporary_files_are_removed(void **state)
{
    (void)state;
    static const char *const names[] = {
        ".alidade-pending",          ".alidade-0.tmp",           ".alidade-0123456789ab.tmp.csv",
        ".alidade-0123456789AB.tmp", "alidade-0123456789ab.tmp",
    };
    char path[1100];
    begin(0);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(path, sizeof path, "%s/%s", folders[0], names[k]);
        put(path, "mine");
    }
    snprintf(path, sizeof path, "%s/.alidade-00000000000a.tmp", folders[0]);
    assert_int_equal(symlink("file0", path), 0);
    snprintf(path, sizeof path, "%s/.alidade-00000000000b.tmp", folders[0]);
    assert_int_equal(mkdir(path, 0755), 0);
    snprintf(path, sizeof path, "%s/.alidade-00000000000c.tmp", folders[0]);
    assert_int_equal(mkfifo(path, 0600), 0);
    snprintf(path, sizeof path, "%s/.alidade-00000000000d.tmp", folders[0]);
    put(path, "abandoned");
    assert_int_equal(count_files(folders[0]), 11);
    come_back();
    assert_int_equal(count_files(folders[0]), 10);
    assert_int_equal(access(path, F_OK), -1);
    assert_true(holds(paths[0], "old"));
    finish();
}

/* While a file is written nobody can read it who cannot read the one it replaces. */
static void temporary_files_are_as_private(void **state)
{
    (void)state;
    reading r;
    ald_output *output = NULL;
    struct stat about;
    begin(0);
    assert_int_equal(chmod(paths[0], 0600), 0);
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, paths[0], 0, &output), ALD_OK);
    assert_non_null(find_temporary());
    assert_int_equal(stat(find_temporary(), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(ald_output_commit(&r.run, output), ALD_OK);
    assert_int_equal(stat(paths[0], &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    reading_end(&r);
    finish();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ended_anywhere_in_one_folder),
        cmocka_unit_test(ended_anywhere_in_two_folders),
        cmocka_unit_test(failing_anywhere),
        cmocka_unit_test(failing_anywhere_alone),
        cmocka_unit_test(only_what_is_abandoned_is_removed),
        cmocka_unit_test(only_temporary_files_are_removed),
        cmocka_unit_test(temporary_files_are_as_private),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
