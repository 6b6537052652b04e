/* Bytes of plain and compressed files, lines, and files that cannot be read. */
#include "support/reading.h"

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

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/ald-input-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/data.csv", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

static void write_bytes(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) fail_msg("cannot write %s", path);
}

static void write_gzip(const void *bytes, size_t size, const char *mode)
{
    gzFile file = gzopen(path, mode);
    if (!file || gzwrite(file, bytes, (unsigned)size) != (int)size || gzclose(file) != Z_OK)
        fail_msg("cannot write %s", path);
}

static size_t read_back(void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("cannot read %s", path);
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

/* Reads all in pieces of `piece` bytes. */
static ald_status read_all(reading *r, size_t piece, char *bytes, size_t room, size_t *size)
{
    ald_input *input;
    ALD_TRY(ald_input_open(&r->run, path, &input));
    ald_status status = ALD_OK;
    size_t got = 1;
    *size = 0;
    while (status == ALD_OK && got > 0 && *size < room) {
        const size_t left = room - *size;
        status = ald_input_read(&r->run, input, bytes + *size, piece < left ? piece : left, &got);
        *size += got;
    }
    ald_input_close(input);
    return status;
}

enum { sample_size = 3000000 };

static char *make_sample(void)
{
    char *bytes = malloc(sample_size);
    if (!bytes) fail();
    for (int i = 0; i < sample_size; i++) bytes[i] = (char)('a' + (i * 7 + i / 1000) % 26);
    return bytes;
}

static void expect_sample(const char *sample)
{
    static const size_t pieces[] = {1000, 65537, 1 << 20, sample_size};
    char *bytes = malloc(sample_size + 10);
    if (!bytes) fail();
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        reading r;
        size_t size = 0;
        reading_begin(&r);
        assert_int_equal(read_all(&r, pieces[k], bytes, sample_size + 10, &size), ALD_OK);
        assert_int_equal(size, sample_size);
        assert_memory_equal(bytes, sample, sample_size);
        reading_end(&r);
    }
    free(bytes);
}

static void write_behind(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "ab");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) fail_msg("cannot write %s", path);
}

static void test_plain_and_gzip(void **state)
{
    (void)state;
    char *sample = make_sample();
    write_bytes(sample, sample_size);
    expect_sample(sample);
    write_gzip(sample, sample_size, "wb");
    expect_sample(sample);
    write_gzip(sample, 1000, "wb");
    write_gzip(sample + 1000, sample_size - 1000, "ab");
    expect_sample(sample);
    write_behind("\0\0\0", 3); /* as tapes fill up blocks */
    expect_sample(sample);
    free(sample);
}

/* From any place, and what is read next stays the same; a compressed file has no places. */
static void test_places(void **state)
{
    (void)state;
    char *sample = make_sample();
    char bytes[100];
    ald_input *input;
    reading r;
    size_t got;
    write_bytes(sample, sample_size);
    reading_begin(&r);
    assert_int_equal(ald_input_open(&r.run, path, &input), ALD_OK);
    assert_true(ald_input_has_places(input));
    assert_int_equal(ald_input_read(&r.run, input, bytes, 10, &got), ALD_OK);
    assert_int_equal(ald_input_read_at(&r.run, input, 2345678, bytes, 100, &got), ALD_OK);
    assert_int_equal(got, 100);
    assert_memory_equal(bytes, sample + 2345678, 100);
    assert_int_equal(ald_input_read_at(&r.run, input, sample_size - 7, bytes, 100, &got), ALD_OK);
    assert_int_equal(got, 7);
    assert_memory_equal(bytes, sample + sample_size - 7, 7);
    assert_int_equal(ald_input_read(&r.run, input, bytes, 50, &got), ALD_OK);
    assert_memory_equal(bytes, sample + 10, got);
    ald_input_close(input);
    write_gzip(sample, 1000, "wb");
    assert_int_equal(ald_input_open(&r.run, path, &input), ALD_OK);
    assert_false(ald_input_has_places(input));
    ald_input_close(input);
    reading_end(&r);
    free(sample);
}

static void expect_damage(const char *part)
{
    static char bytes[100000];
    reading r;
    size_t size;
    reading_begin(&r);
    assert_int_equal(read_all(&r, 4096, bytes, sizeof bytes, &size), ALD_ERROR_FORMAT);
    if (!strstr(r.error.message, part)) fail_msg("expected '%s': %s", part, r.error.message);
    reading_end(&r);
}

static void test_damaged_gzip(void **state)
{
    (void)state;
    char *sample = make_sample();
    static unsigned char packed[200000];
    write_gzip(sample, 50000, "wb");
    const size_t size = read_back(packed, sizeof packed);
    for (size_t cut = 3; cut < size; cut += cut < 30 || size - cut < 30 ? 1 : 97) {
        write_bytes(packed, cut);
        expect_damage("truncated");
    }
    packed[size / 2] ^= 0x55;
    write_bytes(packed, size);
    expect_damage("damaged");
    packed[size / 2] ^= 0x55;
    packed[size - 6] ^= 1;
    write_bytes(packed, size);
    expect_damage("damaged");
    write_gzip(sample, 50000, "wb");
    write_behind("1,2\n", 4);
    expect_damage("behind them is not gzip");
    write_gzip(sample, 50000, "wb");
    write_behind("\x1f\x8c", 2);
    expect_damage("damaged");
    free(sample);
}

static void expect_refused(const char *name, const char *part)
{
    reading r;
    reading_begin(&r);
    assert_int_equal(ald_table_read(&r.run, name, NULL, &r.arena, &r.table), ALD_ERROR_IO);
    assert_true(strncmp(r.error.message, name, strlen(name)) == 0);
    if (!strstr(r.error.message, part)) fail_msg("expected '%s': %s", part, r.error.message);
    reading_end(&r);
}

static void test_files_that_cannot_be_read(void **state)
{
    (void)state;
    expect_refused("/nowhere/at/all.csv", strerror(ENOENT));
    expect_refused(folder, "is a folder");
    if (geteuid() == 0) return;
    write_bytes("1", 1);
    chmod(path, 0);
    expect_refused(path, strerror(EACCES));
}

static void test_a_model_is_no_data(void **state)
{
    (void)state;
    static const char model[] = "\x40\0\0\0\0\0\0\0{\"__metadata__\":{\"alidade.format\":\"1\"}}";
    static const char *const formats[] = {NULL, "npy", "svmlight", "arff", "mtx"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        reading r;
        write_bytes(model, sizeof model - 1);
        reading_begin(&r);
        const ald_load_options options = {.size = sizeof options, .format = formats[k]};
        assert_int_equal(ald_table_read(&r.run, path, &options, &r.arena, &r.table), ALD_ERROR_FORMAT);
        if (!strstr(r.error.message, ": this is a model file")) fail_msg("%s", r.error.message);
        reading_end(&r);
    }
}

static void test_errors_name_the_file_line_and_column(void **state)
{
    (void)state;
    reading r;
    char expected[256];
    write_bytes("a,b\n1,2\n3,\"4\n", 14);
    reading_begin(&r);
    assert_int_equal(ald_table_read(&r.run, path, NULL, &r.arena, &r.table), ALD_ERROR_FORMAT);
    snprintf(expected, sizeof expected, "%s: line 3, column 2: ", path);
    assert_true(strncmp(r.error.message, expected, strlen(expected)) == 0);
    assert_int_equal(r.error.line, 3);
    assert_int_equal(r.error.column, 2);
    reading_end(&r);
    write_bytes("1,2\n3\n", 6);
    reading_begin(&r);
    assert_int_equal(ald_table_read(&r.run, path, NULL, &r.arena, &r.table), ALD_ERROR_FORMAT);
    snprintf(expected, sizeof expected, "%s: line 2: 1 cell found", path);
    assert_true(strncmp(r.error.message, expected, strlen(expected)) == 0);
    reading_end(&r);
}

static void test_readers_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *path, *format, *name;
    } cases[] = {
        {"a.csv", NULL, "csv"},    {"a.tsv", NULL, "tsv"},
        {"a.csv.gz", NULL, "csv"}, {"A.TSV.GZ", NULL, "tsv"},
        {"a.npy", NULL, "npy"},    {"a.arff", NULL, "arff"},
        {"-", NULL, "csv"},        {"noending", NULL, "csv"},
        {"a.csv", "tsv", "tsv"},   {"a.svm.gz", NULL, "svmlight"},
        {"x.tar.gz", NULL, "csv"},
    };
    reading r;
    reading_begin(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ald_reader *reader;
        assert_int_equal(ald_reader_find(&r.run, cases[i].path, cases[i].format, &reader), ALD_OK);
        assert_string_equal(reader->name, cases[i].name);
    }
    const ald_reader *reader;
    assert_int_equal(ald_reader_find(&r.run, "a.csv", "excel", &reader), ALD_ERROR_ARGUMENT);
    assert_non_null(strstr(r.error.message, "'excel'"));
    assert_non_null(strstr(r.error.message, "csv, tsv, xlsx, npy, svmlight"));
    reading_end(&r);
}

static void expect_lines(const char *text, size_t size, int count, const char *const *lines)
{
    reading r;
    ald_input *input;
    reading_begin(&r);
    assert_int_equal(ald_input_memory(&r.run, text, size, &input), ALD_OK);
    char *line;
    size_t length;
    for (int i = 0; i < count; i++) {
        assert_int_equal(ald_input_line(&r.run, input, &line, &length), ALD_OK);
        assert_string_equal(line, lines[i]);
        assert_int_equal(length, strlen(lines[i]));
        assert_int_equal(ald_input_line_number(input), i + 1);
    }
    for (int again = 0; again < 2; again++) {
        assert_int_equal(ald_input_line(&r.run, input, &line, &length), ALD_OK);
        assert_null(line);
    }
    reading_end(&r);
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {"one", "", "three"};
    expect_lines("one\n\nthree\n", 11, 3, lines);
    expect_lines("one\r\n\r\nthree", 12, 3, lines);
    expect_lines("\xef\xbb\xbf"
                 "one\n\nthree",
                 13, 3, lines);
    expect_lines("", 0, 0, lines);
    char *large = malloc(1000003);
    if (!large) fail();
    memset(large, 'x', 1000000);
    memcpy(large + 1000000, "\ny", 3);
    char *first = strdup(large);
    if (!first) fail();
    first[1000000] = '\0';
    expect_lines(large, 1000002, 2, (const char *const[]){first, "y"});
    free(first);
    free(large);
}

/* Lines are bounded, as a whole file and in blocks; a cell in quotes too. */
static void test_long_lines(void **state)
{
    (void)state;
    static const struct {
        const ald_reader *reader;
        const char *before, *after;
    } cases[] = {
        {&ald_svmlight_reader, "1 1:2\n2 1:3 # ", "\n"},
        {&ald_arff_reader, "@relation r\n@attribute ", " numeric\n@data\n1\n"},
        {&ald_csv_reader, "a,b\n1,\"", "\"\n"},
        {&ald_csv_reader, "a", "\n1\n"},
    };
    enum { size = 3000000 };
    char *text = malloc(size + 100);
    if (!text) fail();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const size_t before = strlen(cases[k].before);
        ald_load_options options = {
            .size = sizeof options,
            .max_line = 2000000,
            .format = cases[k].reader->name,
        };
        reading r;
        memcpy(text, cases[k].before, before);
        memset(text + before, '1', size);
        memcpy(text + before + size, cases[k].after, strlen(cases[k].after) + 1);
        write_bytes(text, before + size + strlen(cases[k].after));
        reading_begin(&r);
        assert_int_equal(ald_table_read(&r.run, path, &options, &r.arena, &r.table), ALD_ERROR_FORMAT);
        assert_non_null(strstr(r.error.message, "has more than 2000000 bytes"));
        options.max_line = 2 * size;
        assert_int_equal(ald_table_read(&r.run, path, &options, &r.arena, &r.table), ALD_OK);
        reading_end(&r);
    }
    free(text);
}

static void test_a_zero_byte_is_no_text(void **state)
{
    (void)state;
    reading r;
    ald_input *input;
    char *line;
    size_t length;
    reading_begin(&r);
    assert_int_equal(ald_input_memory(&r.run, "a\nb\0c\n", 6, &input), ALD_OK);
    assert_int_equal(ald_input_line(&r.run, input, &line, &length), ALD_OK);
    assert_int_equal(ald_input_line(&r.run, input, &line, &length), ALD_ERROR_FORMAT);
    assert_int_equal(r.error.line, 2);
    reading_end(&r);
}

typedef struct {
    int calls, stop_at;
    double last;
    char stage[200];
} listener;

static int listen(void *user, const char *stage, double done)
{
    listener *l = user;
    l->calls++;
    assert_true(done >= l->last && done <= 1.0);
    l->last = done;
    snprintf(l->stage, sizeof l->stage, "%s", stage);
    return l->calls == l->stop_at;
}

static void test_progress_and_cancel(void **state)
{
    (void)state;
    char *text = malloc(20000000);
    if (!text) fail();
    for (int i = 0; i < 20000000; i += 4) memcpy(text + i, "1,2\n", 4);
    write_bytes(text, 20000000);
    free(text);
    reading r;
    listener l = {0};
    reading_begin(&r);
    r.run.call.progress = listen;
    r.run.call.bar = &r.run.bar;
    r.run.call.progress_user = &l;
    assert_int_equal(ald_table_read(&r.run, path, NULL, &r.arena, &r.table), ALD_OK);
    assert_int_equal(r.table.rows, 5000000);
    assert_true(l.calls >= 3 && l.calls <= 10);
    assert_non_null(strstr(l.stage, "reading /tmp/ald-input-"));
    assert_true(l.last > 0.7 * 0.8); /* of the stage, which is four fifths of a call without a plan */
    reading_end(&r);
    l = (listener){.stop_at = 2};
    reading_begin(&r);
    r.run.call.progress = listen;
    r.run.call.bar = &r.run.bar;
    r.run.call.progress_user = &l;
    assert_int_equal(ald_table_read(&r.run, path, NULL, &r.arena, &r.table), ALD_ERROR_CANCELLED);
    assert_int_equal(l.calls, 2);
    reading_end(&r);
}

static void test_standard_input(void **state)
{
    (void)state;
    write_bytes("a,b\n1,2\n", 8);
    const int saved = dup(STDIN_FILENO), file = open(path, O_RDONLY);
    assert_true(file >= 0 && dup2(file, STDIN_FILENO) == STDIN_FILENO);
    close(file);
    reading r;
    reading_begin(&r);
    const ald_status status = ald_table_read(&r.run, "-", NULL, &r.arena, &r.table);
    const int still_open = fcntl(STDIN_FILENO, F_GETFD);
    if (saved >= 0) {
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
    assert_int_equal(status, ALD_OK);
    assert_int_equal(r.table.rows, 1);
    assert_string_equal(r.table.source, "standard input");
    assert_true(still_open >= 0);
    reading_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plain_and_gzip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_places, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_damaged_gzip, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_files_that_cannot_be_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_a_model_is_no_data, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_errors_name_the_file_line_and_column, make_folder,
                                        remove_folder),
        cmocka_unit_test(test_readers_are_found),
        cmocka_unit_test(test_lines),
        cmocka_unit_test_setup_teardown(test_long_lines, make_folder, remove_folder),
        cmocka_unit_test(test_a_zero_byte_is_no_text),
        cmocka_unit_test_setup_teardown(test_progress_and_cancel, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_standard_input, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
