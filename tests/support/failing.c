#include "support/failing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char outputs[256], inputs[256];

ald_status failing_context(session *s, int threads)
{
    const ald_options options = {.size = sizeof options, .threads = threads, .allocator = ledger_allocator()};
    return ald_context_new(&options, &s->context, &s->error);
}

ald_status failing_settings(const plan *p, session *s)
{
    char copy[256];
    char *rest = copy, *item;
    STEP(ald_settings_new(s->context, p->method, &s->settings, &s->error));
    snprintf(copy, sizeof copy, "%s", p->set);
    while ((item = strtok_r(rest, " ", &rest)) != NULL) {
        char *value = strchr(item, '=');
        *value++ = '\0';
        STEP(ald_settings_set_text(s->settings, item, value, &s->error));
    }
    return ALD_OK;
}

ald_status failing_begin(const plan *p, session *s, int threads)
{
    STEP(failing_context(s, threads));
    ald_load_options load = p->load;
    load.size = sizeof load;
    STEP(ald_dataset_load(s->context, p->file, &load, &s->data, &s->error));
    return failing_settings(p, s);
}

/* Texts that are used in turn, so that several live at once. */
typedef struct ring {
    char path[4][512];
    int next;
} ring;

static char *path_in(ring *texts, const char *folder, const char *name)
{
    texts->next = (texts->next + 1) % 4;
    snprintf(texts->path[texts->next], sizeof texts->path[0], "%s/%s", folder, name);
    return texts->path[texts->next];
}

const char *failing_output(const char *name)
{
    static ring texts;
    return path_in(&texts, outputs, name);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

const char *failing_input(const char *name, const char *text)
{
    static ring texts;
    const char *path = path_in(&texts, inputs, name);
    write_file(path, text);
    return path;
}

static void clear(session *s)
{
    ald_tuning_free(s->tuning);
    ald_comparison_free(s->comparison);
    if (s->svg) ald_text_free(s->context, s->svg);
    ald_model_free(s->loaded);
    ald_model_free(s->model);
    ald_dataset_free(s->again);
    ald_dataset_free(s->data);
    ald_settings_free(s->settings);
    ald_context_free(s->context);
}

/* Temporary names begin with a dot or are not among the outputs. */
static void check_folder(const char *to)
{
    const char *const known[] = {"model.ald", "z.csv", "train.csv", "test.csv", to};
    DIR *entries = opendir(outputs);
    const struct dirent *entry;
    assert_non_null(entries);
    while ((entry = readdir(entries)) != NULL) {
        int expected = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        for (int i = 0; i < 5; i++) expected = expected || strcmp(entry->d_name, known[i]) == 0;
        if (!expected) fail_msg("left over: %s", entry->d_name);
    }
    closedir(entries);
    for (int i = 0; i < 5; i++) unlink(failing_output(known[i]));
}

/* Every second allocation of a plan, the others in the next plan, which mostly goes the same way; all of them
 * with ALD_LONG, and as many as ALD_SAMPLE says under the sanitizers. */
static int step_between(void)
{
    if (support_stride() > 1) return support_stride();
    return getenv("ALD_LONG") ? 1 : 2;
}

void failing_each(const plan *p)
{
    static int plans;
    const int step = step_between();
    long failures = 0;
    for (long k = plans++ % step;; k += step) {
        session s = {0};
        ledger_begin(k);
        const ald_status status = p->use(p, &s);
        clear(&s);
        check_folder(p->to);
        if (ledger_live() != 0)
            fail_msg("%ld blocks left after failing allocation %ld (%s)", ledger_live(), k, s.error.message);
        if (!ledger_failed()) {
            assert_done(status, s.error);
            break;
        }
        if (status != ALD_ERROR_MEMORY && !(s.spares && status >= 0))
            fail_msg("allocation %ld failed and gave '%s': %s", k, ald_status_name(status), s.error.message);
        failures++;
    }
    print_message("%s: %ld allocations failed in turn\n", p->method, failures);
    assert_true(failures * step > 100);
}

static void empty_inputs(void)
{
    DIR *entries = opendir(inputs);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)) != NULL) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", inputs, entry->d_name);
        unlink(path);
    }
    if (entries) closedir(entries);
}

int failing_run(const struct CMUnitTest *tests, size_t count)
{
    char where[] = "/tmp/ald-fault-XXXXXX", from[] = "/tmp/ald-fault-XXXXXX";
    if (!mkdtemp(where) || !mkdtemp(from)) return 1;
    snprintf(outputs, sizeof outputs, "%s", where);
    snprintf(inputs, sizeof inputs, "%s", from);
    const int failed = _cmocka_run_group_tests("failing", tests, count, NULL, NULL);
    empty_inputs();
    rmdir(outputs);
    rmdir(inputs);
    return failed;
}
