/* Fits that leave a checkpoint: stopped again and again at any instant and continued, they give the bytes of
 * a fit that was left alone; whatever has become of the files of the checkpoint, the model is that one, or
 * there is a message. Few columns count as many, so that all ways through a file are short. */
#include "base/core/context.h"
#include "base/numbers/random.h"
#include "io/files/temporary.h"
#include "support/loops_card.h"
#include "support/support.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { n = 120, d = 48, most_square = 8, most_files = 64, most_stops = 2000 };

static char folder[64];

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* A csv file with classes, or with a number. */
static void write_rows(const char *name, int rows, int classes)
{
    double *x = support_normals(7, rows * (d + 1));
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    for (int j = 0; j < d; j++) fprintf(file, "x%d,", j);
    fprintf(file, "y\n");
    for (int i = 0; i < rows; i++) {
        const double *row = x + i * (d + 1);
        for (int j = 0; j < d; j++) fprintf(file, "%.6f,", row[j] * (1 + j % 5) + (j == i % 3));
        if (classes)
            fprintf(file, "%c\n", 'a' + i % 3);
        else
            fprintf(file, "%.6f\n", row[0] + row[1] * row[1] + 0.1 * row[d]);
    }
    fclose(file);
    free(x);
}

static const struct fit {
    const char *file, *method, *set;
    int square; /* the columns are few: sums */
} fits[] = {
    {"classes.csv", "lda", "n_components=2 ridge=1000 tol=1e-4 solver=two-stage predictor=linear", 0},
    {"classes.csv", "pca", "n_components=2 solver=lanczos tol=1e-6", 0},
    {"numbers.csv", "pls", "n_components=3 predictor=linear", 0},
    {"numbers.csv", "pls", "n_components=3 algorithm=nipals", 0},
    {"numbers.csv", "sir", "n_components=2 ridge_rel=1 tol=1e-3 solver=two-stage scale=standard", 0},
    {"numbers.csv", "sir", "n_components=2 ridge=1 rows=msc", 1},
    {"numbers.csv", "phd", "n_components=2 ridge=1", 1},
    {"classes.csv", "lda", "n_components=2 ridge=1 keep_statistics=1", 1},
};
enum { n_fits = sizeof fits / sizeof *fits };

/* Stops at the question of that number; 0: never. */
static int questions, last_question;

static int answer(void *user, const char *stage, double done)
{
    (void)user;
    (void)stage;
    (void)done;
    return last_question > 0 && ++questions >= last_question;
}

static int no_sync(int file)
{
    (void)file;
    return 0;
}

static ald_system system_without_sync(void)
{
    ald_system made = ald_real_system;
    made.fsync = no_sync;
    return made;
}

/* Every other run has it, and blocks are as usual then; NULL: none has. */
static ald_device *card;
static int runs;

/* The model goes to m.ald where it is found. */
static ald_status run_fit(const struct fit *f, int threads, double seconds, ald_error *error)
{
    const ald_system quick = system_without_sync();
    ald_context *context = support_context(threads, NULL);
    ald_settings *settings = support_settings(context, f->method, f->set);
    ald_load_options load = {.size = sizeof load, .target = "y", .block_bytes = card ? 0 : 4000};
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t rows;
    if (seconds > 0.0) {
        load.checkpoint = path_of("state");
        load.checkpoint_seconds = seconds;
    }
    if (card && runs++ % 2) context->device = card;
    context->system = &quick;
    context->most_square = f->square ? 5000 : most_square;
    questions = 0;
    context->progress = answer;
    char path[128];
    snprintf(path, sizeof path, "%s", path_of(f->file));
    ald_status status = ald_dataset_survey(context, path, &load, &survey, &rows, error);
    if (status >= 0) status = ald_fit_stream(context, settings, path, &load, survey, &model, error);
    if (status >= 0) status = ald_model_save(context, model, path_of("m.ald"), error);
    ald_model_free(model);
    ald_dataset_free(survey);
    ald_settings_free(settings);
    ald_context_free(context);
    return status;
}

typedef struct content {
    char name[128];
    unsigned char *bytes;
    size_t size;
} content;

static content content_of(const char *path)
{
    content c = {.bytes = malloc(1 << 20)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    snprintf(c.name, sizeof c.name, "%s", path);
    c.size = fread(c.bytes, 1, 1 << 20, file);
    fclose(file);
    return c;
}

static void put_content(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void assert_model(const content *whole, const char *what)
{
    content found = content_of(path_of("m.ald"));
    if (found.size != whole->size || memcmp(found.bytes, whole->bytes, whole->size) != 0)
        fail_msg("%s: another model", what);
    free(found.bytes);
    unlink(path_of("m.ald"));
}

static content whole_model(const struct fit *f, int threads)
{
    ald_error error;
    last_question = 0;
    assert_done(run_fit(f, threads, 0.0, &error), error);
    content whole = content_of(path_of("m.ald"));
    unlink(path_of("m.ald"));
    return whole;
}

static void remove_checkpoint(void)
{
    ald_error error;
    glob_t found;
    ald_context *context = support_context(1, NULL);
    assert_done(ald_checkpoint_remove(context, path_of("state"), &error), error);
    ald_context_free(context);
    assert_int_equal(glob(path_of("state*"), 0, NULL, &found), GLOB_NOMATCH);
    globfree(&found);
}

/* Stopped again and again: each run goes a bit further than the one before, or it would never end. */
static int stop_and_go_on(const struct fit *f, int threads, ald_random *random)
{
    ald_error error;
    int stops = 0;
    for (; stops < most_stops; stops++) {
        last_question = 4 + (int)ald_random_below(random, 12);
        const ald_status status = run_fit(f, threads, 1e-9, &error);
        if (status == ALD_ERROR_CANCELLED) continue;
        assert_done(status, error);
        break;
    }
    assert_true(stops < most_stops);
    return stops;
}

static void fits_that_are_stopped_go_on(void **state)
{
    (void)state;
    ald_random random;
    int all = 0;
    ald_random_seed(&random, 5, 0);
    for (int i = 0; i<n_fits; i += support_stride()> 1 ? 2 : 1) {
        const int threads = 1 + i % 2;
        content whole = whole_model(&fits[i], threads);
        const int stops = stop_and_go_on(&fits[i], threads, &random);
        print_message("%s, %s: stopped %d times\n", fits[i].method, fits[i].set, stops);
        all += stops;
        assert_model(&whole, fits[i].set);
        remove_checkpoint();
        free(whole.bytes);
    }
    assert_true(all >= 10 * (support_stride() > 1 ? 4 : n_fits));
}

/* --- damage
 * ------------------------------------------------------------------------------------------ */

static int list_files(content *files)
{
    glob_t found;
    assert_int_equal(glob(path_of("state*"), 0, NULL, &found), 0);
    const int count = (int)found.gl_pathc;
    assert_true(count <= most_files);
    for (int i = 0; i < count; i++) files[i] = content_of(found.gl_pathv[i]);
    globfree(&found);
    return count;
}

static void put_back(const content *files, int count)
{
    glob_t found;
    if (glob(path_of("state*"), 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) unlink(found.gl_pathv[i]);
    globfree(&found);
    for (int i = 0; i < count; i++) put_content(files[i].name, files[i].bytes, files[i].size);
}

/* One of: bits that turned, an end that is lost, bytes behind the end, another of the files, no file. */
static void damage(const content *files, int count, ald_random *random)
{
    const content *c = &files[ald_random_below(random, count)];
    const int kind = (int)ald_random_below(random, 12);
    size_t size = c->size;
    unsigned char *bytes = malloc(c->size + 100);
    memcpy(bytes, c->bytes, c->size);
    memset(bytes + c->size, 0x55, 100);
    if (kind < 7) {
        const int many = 1 + (int)ald_random_below(random, 4);
        const int64_t within =
            kind < 4 && size > 200 ? 200 : (int64_t)size; /* what stands before the arrays */
        for (int i = 0; i < many; i++)
            bytes[ald_random_below(random, within)] ^= (unsigned char)(1u << ald_random_below(random, 8));
    } else if (kind < 9) {
        size = (size_t)ald_random_below(random, (int64_t)size);
    } else if (kind < 10) {
        size += 1 + (size_t)ald_random_below(random, 99);
    }
    put_content(c->name, bytes, size);
    if (kind == 10) {
        const content *other = &files[ald_random_below(random, count)];
        put_content(c->name, other->bytes, other->size);
    }
    if (kind == 11) unlink(c->name);
    free(bytes);
}

/* Leaves files of all kinds. */
static void stop_somewhere(const struct fit *f)
{
    ald_error error;
    for (last_question = 15; last_question < 60; last_question += 15) run_fit(f, 1, 1e-9, &error);
    unlink(path_of("m.ald"));
}

/* Blocks are larger with a card: what was stopped beside one goes on without it, and the other way round. */
static void cards_come_and_go(void **state)
{
    (void)state;
    enum { rows = 6000 }; /* more than a usual block, and less than one with a card */
    static const struct fit fit = {"large.csv", "pls", "n_components=3", 0};
    loops_card loops = {0};
    ald_error error;
    ald_status status = ALD_ERROR_CANCELLED;
    write_rows(fit.file, rows, 0);
    card = loops_device(&loops, 1);
    for (last_question = 1; status == ALD_ERROR_CANCELLED; last_question++) {
        status = run_fit(&fit, 1, 1e-9, &error);
        if (status != ALD_ERROR_CANCELLED) assert_done(status, error);
    }
    assert_true(loops.held > 0 && runs > 4);
    ald_device_close(card);
    card = NULL;
    remove_checkpoint();
    unlink(path_of("m.ald"));
    unlink(path_of(fit.file));
}

static void files_that_are_damaged_are_refused(void **state)
{
    (void)state;
    const int times = support_stride() > 1 ? 60 : 170;
    ald_random random;
    ald_random_seed(&random, 6, 0);
    for (int i = 0; i < 3; i++) {
        content files[most_files], whole = whole_model(&fits[i], 1);
        int refused = 0;
        stop_somewhere(&fits[i]);
        const int count = list_files(files);
        for (int k = 0; k < times; k++) {
            ald_error error;
            put_back(files, count);
            damage(files, count, &random);
            last_question = 0;
            const ald_status status = run_fit(&fits[i], 1, 1e9, &error);
            refused += status < 0;
            if (status < 0) assert_non_null(strstr(error.message, "heckpoint"));
            if (status >= 0) assert_model(&whole, fits[i].set);
        }
        print_message("%s: %d of %d refused, %d files\n", fits[i].method, refused, times, count);
        assert_true(refused > times / 3);
        put_back(files, count);
        remove_checkpoint();
        for (int k = 0; k < count; k++) free(files[k].bytes);
        free(whole.bytes);
    }
}

static int begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/alidade-checkpoints-XXXXXX");
    assert_non_null(mkdtemp(folder));
    write_rows("classes.csv", n, 1);
    write_rows("numbers.csv", n, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    unlink(path_of("classes.csv"));
    unlink(path_of("numbers.csv"));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_that_are_stopped_go_on),
        cmocka_unit_test(cards_come_and_go),
        cmocka_unit_test(files_that_are_damaged_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
