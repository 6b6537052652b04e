/* The fuzz target for checkpoints. The first two bytes choose a fit and where it was stopped; each twelve
 * behind them are a change of what it left: a number of a record, its length, a record or a file more or
 * less. The hashes are made right again, so that what a forger writes reaches the solvers. The fit then
 * resumes, and ends with a model or with a message. */
#include "base/core/record.h"
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/files/temporary.h"

#include <alidade/alidade.h>

enum {
    n_rows = 36,
    n_columns = 10,
    n_wide = 48, /* more than a basis of Lanczos has */
    n_files = 5,
    room = 1 << 16,
    edit_size = 12,
    most_edits = 16,
    stops = 24,
};

static const char *const endings[n_files] = {"", ".1.0", ".1.0.pass", ".1.0.steps", ".1.0.now"};
static const struct fit {
    const char *method, *set;
    int64_t square; /* columns that count as few: sums */
    int wide;
} fits[] = {
    {"lda", "n_components=2 ridge=1000 tol=1e-4 solver=two-stage predictor=linear", 4, 0},
    {"pca", "n_components=2 solver=lanczos tol=1e-6", 4, 0},
    {"pls", "n_components=2 predictor=linear", 4, 0},
    {"pls", "n_components=2 algorithm=nipals", 4, 0},
    {"lda", "n_components=2 ridge=1 keep_statistics=1 rows=msc", 100, 0},
    {"sir", "n_components=1 ridge_rel=1 tol=1e-3 solver=two-stage scale=standard", 4, 0},
    {"pca", "n_components=2 solver=lanczos tol=1e-12", 4, 1},
};
enum { n_fits = sizeof fits / sizeof *fits };

typedef struct content {
    uint8_t bytes[room];
    size_t size; /* 0: there is no such file */
} content;

static memory_file rows[2]; /* narrow, wide */
static content left[n_fits][stops][n_files];
static int is_left[n_fits][stops];
static int questions, last_question;

static int answer(void *user, const char *stage, double done)
{
    (void)user, (void)stage, (void)done;
    return ++questions >= last_question;
}

static int no_sync(int file)
{
    (void)file;
    return 0;
}

static void path_of(int file, char *path)
{
    snprintf(path, 128, "%s/state%s", memory_folder_make(), endings[file]);
}

static void write_rows(int wide)
{
    const int columns = wide ? n_wide : n_columns;
    char text[room];
    int size = 0;
    unsigned seed = 3;
    for (int j = 0; j < columns; j++) size += snprintf(text + size, 20, "x%d,", j);
    size += snprintf(text + size, 20, "y\n");
    for (int i = 0; i < n_rows; i++) {
        for (int j = 0; j < columns; j++) {
            seed = seed * 1103515245u + 12345u;
            size += snprintf(text + size, 20, "%d,", (int)(seed >> 16 & 63) + (j == i % 3 ? 40 : 0));
        }
        size += snprintf(text + size, 20, "%c\n", 'a' + i % 3);
    }
    memory_file_open(&rows[wide], wide ? "wide.csv" : "rows.csv");
    memory_file_fill(&rows[wide], (const uint8_t *)text, (size_t)size);
}

static ald_context *context_of(const struct fit *f)
{
    static ald_system quick;
    ald_context *context = fuzzing_public();
    quick = ald_real_system;
    quick.fsync = no_sync;
    context->system = &quick;
    context->progress = answer;
    context->most_square = f->square;
    return context;
}

static ald_settings *settings_of(ald_context *context, const struct fit *f)
{
    ald_settings *settings = NULL;
    ald_error error;
    char copy[200];
    char *rest = copy;
    snprintf(copy, sizeof copy, "%s", f->set);
    if (ald_settings_new(context, f->method, &settings, &error) < 0) abort();
    for (char *item; (item = strtok_r(rest, " ", &rest));) {
        char *value = strchr(item, '=');
        *value++ = '\0';
        if (ald_settings_set_text(settings, item, value, &error) < 0) abort();
    }
    return settings;
}

static ald_status fit_rows(const struct fit *f, double seconds, int most, ald_error *error)
{
    char path[128];
    ald_context *context = context_of(f);
    ald_settings *settings = settings_of(context, f);
    ald_dataset *survey = NULL;
    ald_model *model = NULL;
    int64_t count;
    path_of(0, path);
    const ald_load_options load = {
        .size = sizeof load,
        .target = "y",
        .block_bytes = 400,
        .checkpoint = path,
        .checkpoint_seconds = seconds,
    };
    questions = 0;
    last_question = most;
    ald_status status = ald_dataset_survey(context, rows[f->wide].path, &load, &survey, &count, error);
    if (status >= 0)
        status = ald_fit_stream(context, settings, rows[f->wide].path, &load, survey, &model, error);
    ald_model_free(model);
    ald_dataset_free(survey);
    ald_settings_free(settings);
    return status;
}

static void put_files(const content *files)
{
    for (int k = 0; k < n_files; k++) {
        char path[128];
        path_of(k, path);
        FILE *file = files[k].size ? fopen(path, "wb") : NULL;
        if (!file) unlink(path);
        if (file && fwrite(files[k].bytes, 1, files[k].size, file) != files[k].size) abort();
        if (file) fclose(file);
    }
}

static void take_files(content *files)
{
    for (int k = 0; k < n_files; k++) {
        char path[128];
        path_of(k, path);
        FILE *file = fopen(path, "rb");
        files[k].size = file ? fread(files[k].bytes, 1, room, file) : 0;
        if (file) fclose(file);
    }
}

/* What a fit leaves that was stopped a few times, each time a bit further. */
static const content *files_left(int fit, int stop)
{
    static const content none[n_files];
    ald_error error;
    content *files = left[fit][stop];
    if (is_left[fit][stop]) return files;
    put_files(none);
    for (int most = 8; most <= 8 + 4 * stop; most += 4) fit_rows(&fits[fit], 1e-9, most, &error);
    take_files(files);
    is_left[fit][stop] = 1;
    return files;
}

/* --- changes --- */

/* The bytes of the whole record at this place; 0: there is none. */
static size_t record_at(const content *c, size_t at)
{
    int64_t length;
    if (c->size < at + ALD_RECORD_EXTRA) return 0;
    memcpy(&length, c->bytes + at, sizeof length);
    return length >= 0 && (uint64_t)length <= c->size - at - ALD_RECORD_EXTRA
               ? (size_t)length + ALD_RECORD_EXTRA
               : 0;
}

/* Where record `number` begins, counted round. */
static size_t find_record(const content *c, size_t number)
{
    size_t count = 0, at = 0, size;
    for (; (size = record_at(c, at)); at += size) count++;
    at = 0;
    for (size_t k = count ? number % count : 0; k > 0; k--) at += record_at(c, at);
    return at;
}

static void seal(content *c, size_t at, size_t size)
{
    const int64_t length = (int64_t)size - ALD_RECORD_EXTRA;
    memcpy(c->bytes + at, &length, sizeof length);
    const uint64_t hash = ald_record_hash(c->bytes + at, c->bytes + at + ALD_RECORD_HEAD, length);
    memcpy(c->bytes + at + ALD_RECORD_HEAD + length, &hash, sizeof hash);
}

/* Gives the record another size; 0 removes it. What is new is a copy of what stood behind. */
static void resize(content *c, size_t at, size_t old, size_t size)
{
    if (c->size - old + size > room) return;
    memmove(c->bytes + at + size, c->bytes + at + old, c->size - at - old);
    c->size = c->size - old + size;
    if (size) seal(c, at, size);
}

static uint64_t number_of(const uint8_t *edit)
{
    static const double reals[] = {0.0, -1.0, 1e308, 5e-324, 1e154};
    uint64_t number;
    memcpy(&number, edit + 4, sizeof number);
    if (edit[3] & 0x10) number = (uint64_t)(int8_t)edit[4]; /* a small one */
    if (edit[3] & 0x20) memcpy(&number, &reals[edit[4] % 5], sizeof number);
    if (edit[3] & 0x40) number = (uint64_t)1 << edit[4] % 64;
    return number;
}

static void change(content *files, const uint8_t *edit)
{
    content *c = &files[edit[0] % n_files];
    const size_t at = find_record(c, edit[1]), size = record_at(c, at);
    const uint64_t number = number_of(edit);
    const int kind = edit[3] & 15;
    if (!size) return;
    if (kind == 0) {
        resize(c, at, size, ALD_RECORD_EXTRA + (size_t)(number % (size + 16)));
    } else if (kind == 1) {
        resize(c, at, size, 0);
    } else if (kind == 2) {
        files[edit[2] % n_files] = *c;
    } else if (kind == 3) {
        c->size -= (size_t)number % size;
    } else if (size > ALD_RECORD_EXTRA + sizeof number) {
        const size_t words = (size - ALD_RECORD_EXTRA) / sizeof number;
        const size_t word = (edit[2] | (size_t)(edit[0] / n_files) << 8) % words;
        memcpy(c->bytes + at + ALD_RECORD_HEAD + word * sizeof number, &number, sizeof number);
        seal(c, at, size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static content files[n_files];
    ald_error error;
    for (int wide = 0; wide < 2; wide++)
        if (!rows[wide].path[0]) write_rows(wide);
    if (size < 2) return 0;
    const int fit = bytes[0] % n_fits;
    memcpy(files, files_left(fit, bytes[1] % stops), sizeof files);
    for (size_t k = 0; k < most_edits && 2 + (k + 1) * edit_size <= size; k++)
        change(files, bytes + 2 + k * edit_size);
    put_files(files);
    /* A solver with forged numbers may take all its iterations: it is stopped, which it must notice. */
    fuzzing_expect_message(fit_rows(&fits[fit], 1e9, 1000, &error), &error);
    return 0;
}
