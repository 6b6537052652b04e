/* Files that are there whole or not at all. */
#include "io/files/output.h"
#include "io/files/temporary.h"
#include "support/reading.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/ald-output-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* How many files there are; removes them if asked to. */
static int count_files(int removing)
{
    int count = 0;
    DIR *open = opendir(folder);
    if (!open) fail();
    for (const struct dirent *entry; (entry = readdir(open));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        if (removing) unlink(in_folder(entry->d_name));
    }
    closedir(open);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    count_files(1);
    return rmdir(folder);
}

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) fail_msg("cannot write %s", path);
}

static void expect_file(const char *path, const char *text)
{
    char found[1000] = "";
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there", path);
    const size_t size = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    found[size] = '\0';
    assert_string_equal(found, text);
}

/* The pattern of output.h. */
static ald_status write_two_parts(ald_run *run, const char *path, ald_output **output)
{
    ALD_TRY(ald_output_open(run, path, 1, output));
    ALD_TRY(ald_output_write(run, *output, "first ", 6));
    ALD_TRY(ald_output_write(run, *output, "second\n", 7));
    return ald_output_commit(run, *output);
}

static ald_status write_whole(ald_run *run, const char *path)
{
    ald_output *output = NULL;
    const ald_status status = write_two_parts(run, path, &output);
    ald_output_abandon(output);
    return status;
}

static void expect_written(const char *path)
{
    reading r;
    reading_begin(&r);
    if (write_whole(&r.run, path) < 0) fail_msg("%s", r.error.message);
    reading_end(&r);
}

static void expect_refused(const char *path, const char *part)
{
    reading r;
    reading_begin(&r);
    assert_int_equal(write_whole(&r.run, path), ALD_ERROR_IO);
    assert_non_null(strstr(r.error.message, path));
    if (!strstr(r.error.message, part)) fail_msg("expected '%s': %s", part, r.error.message);
    reading_end(&r);
}

static void test_new_and_old_files(void **state)
{
    (void)state;
    const char *path = in_folder("result.csv");
    struct stat about;
    const mode_t mask = umask(027);
    expect_written(path);
    umask(mask);
    expect_file(path, "first second\n");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    put_file(path, "old and much longer than the new text\n");
    assert_int_equal(chmod(path, 0604), 0);
    expect_written(path);
    expect_file(path, "first second\n");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0604);
    assert_int_equal(count_files(0), 1);
}

static void test_nothing_changes_before_the_commit(void **state)
{
    (void)state;
    const char *path = in_folder("result.csv");
    reading r;
    ald_output *output;
    put_file(path, "old");
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, path, 0, &output), ALD_OK);
    assert_int_equal(ald_output_write(&r.run, output, "new", 3), ALD_OK);
    expect_file(path, "old");
    assert_int_equal(count_files(0), 2);
    ald_output_abandon(output);
    ald_output_abandon(output);
    ald_output_abandon(NULL);
    expect_file(path, "old");
    assert_int_equal(count_files(0), 1);
    reading_end(&r);
}

/* There are systems on which all who ask are given the lock. */
static int give_to_all(int file, int operation)
{
    (void)file;
    (void)operation;
    return 0;
}

static void write_several(const ald_system *system)
{
    reading r;
    ald_output *outputs[3];
    reading_begin(&r);
    r.context.system = system;
    for (int i = 0; i < 3; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        assert_int_equal(ald_output_open(&r.run,
                                         ald_arena_text(&r.arena, in_folder(name), strlen(in_folder(name))),
                                         0, &outputs[i]),
                         ALD_OK);
        assert_int_equal(ald_output_write(&r.run, outputs[i], name, 1), ALD_OK);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(ald_output_commit(&r.run, outputs[i]), ALD_OK);
    for (int i = 0; i < 3; i++) ald_output_abandon(outputs[i]);
    reading_end(&r);
    expect_file(in_folder("a"), "a");
    expect_file(in_folder("c"), "c");
    assert_int_equal(count_files(0), 3);
}

/* None is taken for abandoned while another is begun. */
static void test_several_at_once(void **state)
{
    (void)state;
    ald_system without_locks = ald_real_system;
    without_locks.lock = give_to_all;
    write_several(&ald_real_system);
    write_several(&without_locks);
}

static void test_links_stay(void **state)
{
    (void)state;
    const char *link = in_folder("link"), *target = in_folder("target");
    struct stat about;
    assert_int_equal(symlink("target", link), 0);
    expect_written(link);
    expect_file(target, "first second\n");
    put_file(target, "old");
    expect_written(link);
    expect_file(target, "first second\n");
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(count_files(0), 2);
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    expect_refused(in_folder("loop"), strerror(ELOOP));
}

static void test_same_place(void **state)
{
    (void)state;
    char spelt[200];
    snprintf(spelt, sizeof spelt, "%s/./a", folder);
    assert_int_equal(symlink("a", in_folder("link")), 0);
    assert_true(ald_same_file("-", "-"));
    assert_true(ald_same_file(in_folder("a"), in_folder("a")));
    assert_true(ald_same_file(in_folder("a"), spelt));
    assert_true(ald_same_file(in_folder("link"), spelt));
    assert_true(ald_same_file("a", "./a"));
    assert_false(ald_same_file("a", "-"));
    assert_false(ald_same_file(in_folder("a"), in_folder("b")));
    assert_false(ald_same_file(in_folder("a"), "a"));
    assert_false(ald_same_file(in_folder("none/a"), in_folder("nowhere/a")));
}

static void test_devices_are_written_directly(void **state)
{
    (void)state;
    expect_written("/dev/null");
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    expect_refused("/dev/full", strerror(ENOSPC));
}

static void test_pipe(void **state)
{
    (void)state;
    const char *path = in_folder("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    expect_written(path);
    char text[100];
    assert_int_equal(read(reader, text, sizeof text), 13);
    assert_memory_equal(text, "first second\n", 13);
    close(reader);
}

static void test_unwritable(void **state)
{
    (void)state;
    expect_refused("/nowhere/at/all.csv", strerror(ENOENT));
    expect_refused(folder, strerror(EISDIR));
    expect_refused(in_folder("new/"), "not a valid name for an output file");
    expect_refused("", "not a valid name for an output file");
    put_file(in_folder("file"), "");
    expect_refused(in_folder("file/below"), strerror(ENOTDIR));
    if (geteuid() == 0) return;
    assert_int_equal(chmod(in_folder("file"), 0400), 0);
    expect_refused(in_folder("file"), strerror(EACCES));
}

static void test_gzip(void **state)
{
    (void)state;
    enum { size = 5000000 };
    const char *path = in_folder("large.csv.gz");
    char *bytes = malloc(size), *back = malloc(size + 1);
    if (!bytes || !back) fail();
    uint32_t seed = 1;
    for (int i = 0; i < size; i++) bytes[i] = (char)('0' + ((seed = seed * 1664525 + 1013904223) >> 24) % 10);
    reading r;
    ald_output *output;
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, path, 1, &output), ALD_OK);
    for (int i = 0; i < size; i += 1000)
        assert_int_equal(ald_output_write(&r.run, output, bytes + i, 1000), ALD_OK);
    assert_int_equal(ald_output_commit(&r.run, output), ALD_OK);
    reading_end(&r);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_true(about.st_size < size / 2);
    gzFile file = gzopen(path, "rb");
    assert_int_equal(gzread(file, back, size + 1), size);
    assert_int_equal(gzclose(file), Z_OK);
    assert_memory_equal(bytes, back, size);
    free(bytes);
    free(back);
    /* The name alone does not compress. */
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, path, 0, &output), ALD_OK);
    assert_int_equal(ald_output_write(&r.run, output, "plain", 5), ALD_OK);
    assert_int_equal(ald_output_commit(&r.run, output), ALD_OK);
    reading_end(&r);
    expect_file(path, "plain");
}

/* Small and large pieces keep their order. */
static void test_large_writes(void **state)
{
    (void)state;
    enum { size = 1000000 };
    const char *path = in_folder("large");
    char *bytes = malloc(size);
    if (!bytes) fail();
    memset(bytes, 'x', size);
    reading r;
    ald_output *output;
    reading_begin(&r);
    assert_int_equal(ald_output_open(&r.run, path, 0, &output), ALD_OK);
    assert_int_equal(ald_output_write(&r.run, output, "begin", 5), ALD_OK);
    assert_int_equal(ald_output_write(&r.run, output, bytes, size), ALD_OK);
    assert_int_equal(ald_output_write(&r.run, output, "end", 3), ALD_OK);
    assert_int_equal(ald_output_commit(&r.run, output), ALD_OK);
    reading_end(&r);
    free(bytes);
    FILE *file = fopen(path, "r");
    if (!file) fail();
    char text[6] = "";
    assert_int_equal(fread(text, 1, 5, file), 5);
    assert_string_equal(text, "begin");
    assert_int_equal(fseek(file, -4, SEEK_END), 0);
    assert_int_equal(ftell(file), size + 4);
    assert_int_equal(fread(text, 1, 4, file), 4);
    assert_memory_equal(text, "xend", 4);
    fclose(file);
}

static void expect_no_leak(const char *name)
{
    for (int64_t fail_at = 1;; fail_at++) {
        reading r;
        reading_begin(&r);
        r.fail_at = fail_at;
        const ald_status status = write_whole(&r.run, in_folder(name));
        const int reached = r.allocations >= fail_at;
        reading_end(&r);
        assert_int_equal(status, reached ? ALD_ERROR_MEMORY : ALD_OK);
        assert_int_equal(count_files(1), !reached);
        if (!reached) break;
    }
}

static void test_without_memory(void **state)
{
    (void)state;
    expect_no_leak("plain");
    expect_no_leak("packed.gz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_new_and_old_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_nothing_changes_before_the_commit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_several_at_once, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_links_stay, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_same_place, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_devices_are_written_directly, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_pipe, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_unwritable, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_gzip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_large_writes, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_without_memory, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
