/* A comparison that was ended goes on where it stopped: finished fits are found again, a torn last line is dropped,
 * lines of other comparisons are left alone, and the result is the same. */
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
    double *x, y[n];
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

static ald_status try_compare(const world *w, uint64_t seed, int resumes, ald_comparison **result, ald_error *error)
{
    const ald_compare_options options = {.candidates = w->candidates.list,
                                         .count = w->candidates.count,
                                         .splits = {.splits = splits_wanted, .seed = seed},
                                         .resume = resumes ? path : NULL};
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

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
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
    assert_int_equal(count_lines(text), 4 * splits_wanted);
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
    const size_t size = read_file(text), first_line = (size_t)(strchr(text, '\n') - text) + 1;
    for (size_t cut = 1; cut < size; cut += cut < first_line ? 13 : 97) {
        write_file(text, cut);
        ald_comparison *resumed = compare(&w, 3, 1);
        support_assert_same_comparison(plain, resumed);
        ald_comparison_free(resumed);
        read_file(again);
        assert_int_equal(count_lines(again), 4 * splits_wanted);
    }
    ald_comparison_free(plain);
    free_world(&w);
}

/* A value that was changed in the file comes back: it was not computed again. Another seed is another comparison. */
static void keys_tell_comparisons_apart(void **state)
{
    (void)state;
    static char text[file_room];
    world w = make_world(1);
    finish_world(&w);
    write_file("", 0);
    ald_comparison_free(compare(&w, 3, 1));
    read_file(text);
    char *value = strstr(strstr(text, "\"pls\""), "\"metrics\": [") + strlen("\"metrics\": [");
    const size_t length = strcspn(value, ",");
    memset(value, '7', length);
    write_file(text, strlen(text));
    ald_comparison *resumed = compare(&w, 3, 1), *other = compare(&w, 4, 1), *plain = compare(&w, 4, 0);
    int changed = 0;
    for (int64_t s = 0; s < splits_wanted; s++) changed += ald_comparison_values(resumed, 1, 0)[s] > 1e3;
    assert_int_equal(changed, 1);
    support_assert_same_comparison(other, plain);
    ald_comparison_free(resumed);
    ald_comparison_free(other);
    ald_comparison_free(plain);
    w.y[7] += 1.0; /* other data */
    resumed = compare(&w, 3, 1);
    for (int64_t s = 0; s < splits_wanted; s++) assert_true(ald_comparison_values(resumed, 1, 0)[s] < 1e3);
    ald_comparison_free(resumed);
    free_world(&w);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char *const files[] = {"a,b,c\n1,2,3\n", "nothing of ours", "{\"key\": \n"};
    world w = make_world(1);
    finish_world(&w);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ald_comparison *result = NULL;
        ald_error error;
        static char text[file_room];
        write_file(files[i], strlen(files[i]));
        assert_int_equal(try_compare(&w, 1, 1, &result, &error), ALD_ERROR_FORMAT);
        assert_null(result);
        assert_non_null(strstr(error.message, "name another file"));
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

static void a_stopped_comparison_goes_on(void **state)
{
    (void)state;
    static char text[file_room];
    world w = make_world(1);
    finish_world(&w);
    ald_comparison *plain = compare(&w, 3, 0), *result = NULL;
    ald_error error;
    int left = 12;
    const ald_options options = {.threads = 1, .progress = stop_after, .progress_user = &left};
    ald_context *stopped = NULL, *kept = w.context;
    assert_int_equal(ald_context_new(&options, &stopped, NULL), ALD_OK);
    write_file("", 0);
    w.context = stopped;
    assert_int_equal(try_compare(&w, 3, 1, &result, &error), ALD_ERROR_CANCELLED);
    assert_null(result);
    read_file(text);
    assert_true(count_lines(text) > 0 && count_lines(text) < 4 * splits_wanted);
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
        cmocka_unit_test(finished_work_is_found_again), cmocka_unit_test(a_torn_file_serves),
        cmocka_unit_test(keys_tell_comparisons_apart),  cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(a_stopped_comparison_goes_on),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
