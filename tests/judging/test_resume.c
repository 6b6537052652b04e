/* An interrupted comparison resumes where it stopped: finished fits are found again, a torn last record is
 * dropped, the file of another run is refused, and damage is never taken for a result. */
#include "base/core/record.h"
#include "judge/cells/journal.h"
#include "support/comparing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 60, d = 5, splits_wanted = 4, file_room = 1 << 20 };

static const int64_t dims[] = {1, 2};
static char path[] = "/tmp/ald-resume-XXXXXX";

typedef struct world {
    ald_context *context;
    double *x;
    double y[n];
    ald_matrix view;
    ald_target target;
    support_candidates candidates;
} world;

static world make_world(int threads)
{
    world w = {.context = support_context(threads, NULL), .x = support_normals(8, n * d)};
    return w;
}

/* In place: the target points into the world. */
static void finish_world(world *w)
{
    for (int i = 0; i < n; i++) w->y[i] = w->x[i * d] - w->x[i * d + 2] + 0.2 * w->x[i * d + 4];
    w->view = ald_matrix_row_major(w->x, n, d, d);
    w->target = ald_target_real(ald_matrix_row_major(w->y, n, 1, 1));
    support_candidates_begin(&w->candidates, w->context);
    support_candidates_add(&w->candidates, ALD_CANDIDATE_CONSTANT, "pca", "", NULL, 0);
    support_candidates_add(&w->candidates, ALD_CANDIDATE_METHOD, "pls", "", dims, 2);
    support_candidates_add(&w->candidates, ALD_CANDIDATE_METHOD, "hsl", "", dims, 1); /* refuses */
    support_candidates_add(&w->candidates, ALD_CANDIDATE_METHOD, "kpls", "", dims, 2);
}

static void free_world(world *w)
{
    support_candidates_end(&w->candidates);
    free(w->x);
    ald_context_free(w->context);
}

static ald_status try_compare(const world *w, uint64_t seed, int resumes, ald_comparison **result,
                              ald_error *error)
{
    const ald_compare_options options = {
        .size = sizeof(ald_compare_options),
        .candidates = w->candidates.list,
        .count = w->candidates.count,
        .splits =
            &(ald_splits_options){.size = sizeof(ald_splits_options), .splits = splits_wanted, .seed = seed},
        .resume = resumes ? path : NULL,
    };
    return ald_compare(w->context, &w->view, &w->target, &options, result, error);
}

static ald_comparison *compare(const world *w, uint64_t seed, int resumes)
{
    ald_comparison *result = NULL;
    ald_error error;
    assert_done(try_compare(w, seed, resumes, &result, &error), error);
    return result;
}

static size_t read_file(char *text)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(text, 1, file_room - 1, file);
    fclose(file);
    text[size] = '\0';
    return size;
}

static void write_file(const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

/* Bytes of the record that begins here. */
static size_t record_size(const char *at)
{
    int64_t length;
    memcpy(&length, at, sizeof length);
    return (size_t)length + ALD_RECORD_EXTRA;
}

static int count_records(const char *text, size_t size)
{
    int records = 0;
    for (size_t at = 0; at < size; at += record_size(text + at)) records++;
    return records;
}

static void finished_work_is_found_again(void **state)
{
    (void)state;
    static char text[file_room], again[file_room];
    world w = make_world(2);
    finish_world(&w);
    write_file("", 0);
    ald_comparison *plain = compare(&w, 3, 0), *first = compare(&w, 3, 1);
    support_assert_same_comparison(plain, first);
    const size_t size = read_file(text);
    assert_int_equal(count_records(text, size), 1 + 4 * splits_wanted);
    ald_comparison *second = compare(&w, 3, 1);
    support_assert_same_comparison(plain, second);
    assert_int_equal(read_file(again), size);
    assert_memory_equal(text, again, size);
    ald_comparison_free(plain);
    ald_comparison_free(first);
    ald_comparison_free(second);
    free_world(&w);
}

/* Cut anywhere, the file serves: what is missing is done again. */
static void a_torn_file_serves(void **state)
{
    (void)state;
    static char text[file_room], again[file_room];
    world w = make_world(1);
    finish_world(&w);
    ald_comparison *plain = compare(&w, 3, 0);
    write_file("", 0);
    ald_comparison_free(compare(&w, 3, 1));
    const size_t size = read_file(text), first = record_size(text);
    for (size_t cut = 1; cut < size; cut += cut < first ? 13 : 97) {
        write_file(text, cut);
        ald_comparison *resumed = compare(&w, 3, 1);
        support_assert_same_comparison(plain, resumed);
        ald_comparison_free(resumed);
        const size_t whole = read_file(again);
        assert_int_equal(count_records(again, whole), 1 + 4 * splits_wanted);
    }
    ald_comparison_free(plain);
    free_world(&w);
}

static void assert_refused(const world *w, uint64_t seed, ald_status wanted, const char *why)
{
    static char before[file_room], after[file_room];
    ald_comparison *result = NULL;
    ald_error error;
    const size_t size = read_file(before);
    assert_int_equal(try_compare(w, seed, 1, &result, &error), wanted);
    assert_null(result);
    if (!strstr(error.message, why)) fail_msg("'%s' is not in: %s", why, error.message);
    assert_int_equal(read_file(after), size);
    assert_memory_equal(before, after, size);
}

/* Other splits, other data, other settings, or timed: another run, whose figures are not these. */
static void the_file_of_another_run_is_refused(void **state)
{
    (void)state;
    static const char another[] = "another run";
    ald_error error;
    world w = make_world(1);
    finish_world(&w);
    write_file("", 0);
    ald_comparison_free(compare(&w, 3, 1));
    assert_refused(&w, 4, ALD_ERROR_ARGUMENT, another);
    w.y[7] += 1.0;
    assert_refused(&w, 3, ALD_ERROR_ARGUMENT, another);
    w.y[7] -= 1.0;
    w.x[3] += 1e-12;
    assert_refused(&w, 3, ALD_ERROR_ARGUMENT, another);
    w.x[3] -= 1e-12;
    w.view = ald_matrix_row_major(w.x, n, d, d);
    assert_done(ald_settings_set_text(w.candidates.settings[1], "scale", "standard", &error), error);
    assert_refused(&w, 3, ALD_ERROR_ARGUMENT, another);
    free_world(&w);
}

/* Puts a value into the body of the third record and makes its hash good again. */
static void forge(char *text, size_t place, const void *value)
{
    unsigned char *record = (unsigned char *)text + record_size(text);
    record += record_size((char *)record);
    const int64_t length = (int64_t)record_size((char *)record) - ALD_RECORD_EXTRA;
    memcpy(record + ALD_RECORD_HEAD + place, value, 8);
    const uint64_t hash = ald_record_hash(record, record + ALD_RECORD_HEAD, length);
    memcpy(record + ALD_RECORD_HEAD + length, &hash, sizeof hash);
}

/* Where the fields are: key, name ("pls"), split, number of cells; then of the first cell these. */
enum {
    at_name = 8,
    at_split = at_name + 8 + 3,
    at_count = at_split + 8,
    at_dims = at_count + 8,
    at_setting = at_dims + 8,
    at_status = at_setting + 8,
    at_message = at_status + 8,
    at_fit = at_message + 8,
    at_metrics = at_fit + 16,
    at_last_metric = at_metrics + 8 * (ALD_MOST_METRICS - 1),
};

/* Even with a hash that is right, every field must be one that the run could have written. */
static void every_field_is_checked(void **state)
{
    (void)state;
    static const struct {
        size_t place;
        int64_t number;
    } numbers[] = {
        {at_setting, 9}, {at_setting, -7}, {at_setting, 1000000000}, {at_dims, 2},
        {at_dims, -5},   {at_status, 77},  {at_status, -3},          {at_message, 4},
        {at_split, 0},   {at_name, -1},    {at_message, -1},         {at_message, 400},
        {at_count, 0},   {at_count, 3},    {at_count, INT64_MAX},
    };
    static const struct {
        size_t place;
        double number;
    } reals[] = {
        {at_fit, -1.0}, {at_fit, 1.0}, {at_fit, INFINITY}, {at_metrics, -3.0}, {at_last_metric, 7.5},
    };
    static char whole[file_room], text[file_room];
    enum { n_numbers = sizeof numbers / sizeof *numbers, n_reals = sizeof reals / sizeof *reals };
    world w = make_world(1);
    finish_world(&w);
    write_file("", 0);
    ald_comparison_free(compare(&w, 3, 1));
    const size_t size = read_file(whole);
    for (size_t i = 0; i < n_numbers + n_reals; i++) {
        memcpy(text, whole, size);
        if (i < n_numbers)
            forge(text, numbers[i].place, &numbers[i].number);
        else
            forge(text, reals[i - n_numbers].place, &reals[i - n_numbers].number);
        write_file(text, size);
        assert_refused(&w, 3, ALD_ERROR_FORMAT, "record 3 is damaged");
    }
    static const char old[] = "{\"sum\": \"0123456789abcdef\", \"journal\": 3}\n";
    write_file(old, strlen(old));
    assert_refused(&w, 3, ALD_ERROR_ARGUMENT, "another version");
    free_world(&w);
}

/* One byte changed anywhere: an error, or the same figures. The sanitizers see some of the bytes. */
static void no_damage_is_taken_for_a_result(void **state)
{
    (void)state;
    static char whole[file_room], text[file_room];
    static const char changes[] = {'\n', '7'};
    const int step = support_stride();
    int served = 0, refused = 0;
    world w = make_world(1);
    finish_world(&w);
    w.candidates.count = 2; /* the mean and pls, which are quick */
    ald_comparison *plain = compare(&w, 3, 0);
    write_file("", 0);
    ald_comparison_free(compare(&w, 3, 1));
    const size_t size = read_file(whole);
    for (size_t at = 0; at < size; at += (size_t)step)
        for (size_t k = 0; k <= sizeof changes; k++) {
            ald_comparison *resumed = NULL;
            ald_error error;
            memcpy(text, whole, size);
            text[at] = k < sizeof changes ? changes[k] : (char)(whole[at] ^ 1);
            write_file(text, size);
            const ald_status status = try_compare(&w, 3, 1, &resumed, &error);
            if (status >= 0) support_assert_same_comparison(plain, resumed);
            if (status < 0 && !strstr(error.message, "record "))
                fail_msg("byte %d: %s", (int)at, error.message);
            *(status < 0 ? &refused : &served) += 1;
            ald_comparison_free(resumed);
        }
    assert_true(refused > 2 * (int)size / step &&
                served > 100 / step); /* damage in the last record is served */
    ald_comparison_free(plain);
    w.candidates.count = 4;
    free_world(&w);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const files[] = {
        "a,b,c\n1,2,3\n",
        "nothing of ours",
        "{\"key\": \n",
        "{\"key\": \"0123456789abcdef\", \"candidate\": \"pls\"}\n",
    };
    world w = make_world(1);
    finish_world(&w);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ald_comparison *result = NULL;
        ald_error error;
        static char text[file_room];
        write_file(files[i], strlen(files[i]));
        assert_int_equal(try_compare(&w, 1, 1, &result, &error), ALD_ERROR_FORMAT);
        assert_null(result);
        assert_non_null(strstr(error.message, "use another file"));
        read_file(text);
        assert_string_equal(text, files[i]);
    }
    free_world(&w);
}

/* The caller stops it in the middle; what is there by then is used. */
static int stop_after(void *user, const char *stage, double done)
{
    int *left = user;
    (void)stage;
    (void)done;
    return --*left < 0;
}

static void a_stopped_comparison_resumes(void **state)
{
    (void)state;
    static char text[file_room];
    world w = make_world(1);
    finish_world(&w);
    ald_comparison *plain = compare(&w, 3, 0), *result = NULL;
    ald_error error;
    int left = 12;
    const ald_options options = {
        .size = sizeof options,
        .threads = 1,
        .progress = stop_after,
        .progress_user = &left,
    };
    ald_context *stopped = NULL, *kept = w.context;
    assert_int_equal(ald_context_new(&options, &stopped, NULL), ALD_OK);
    write_file("", 0);
    w.context = stopped;
    assert_int_equal(try_compare(&w, 3, 1, &result, &error), ALD_ERROR_CANCELLED);
    assert_null(result);
    const int records = count_records(text, read_file(text));
    assert_true(records > 1 && records < 1 + 4 * splits_wanted);
    w.context = kept;
    result = compare(&w, 3, 1);
    support_assert_same_comparison(plain, result);
    ald_comparison_free(plain);
    ald_comparison_free(result);
    ald_context_free(stopped);
    free_world(&w);
}

static int make_file(void **state)
{
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished_work_is_found_again),       cmocka_unit_test(a_torn_file_serves),
        cmocka_unit_test(the_file_of_another_run_is_refused), cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(no_damage_is_taken_for_a_result),    cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_stopped_comparison_resumes),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
