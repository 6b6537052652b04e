/* What the keys of data, settings, splits and candidates are made of. */
#include "judge/cells/key.h"

#include "base/numbers/hash.h"
#include "math/operator/entry.h"

#include <string.h>

void ald_key_add(ald_key *key, const void *bytes, size_t size)
{
    key->value = ald_hash(key->value ? key->value : ALD_HASH_START, bytes, size);
}

void ald_key_text(ald_key *key, const char *text)
{
    ald_key_add(key, text, strlen(text) + 1);
}

void ald_key_int(ald_key *key, int64_t number)
{
    ald_key_add(key, &number, sizeof number);
}

/* Whether the list is there, and what is in it. */
static void add_list(ald_key *key, const void *list, int64_t count, size_t size)
{
    ald_key_int(key, list ? count : -1);
    if (list) ald_key_add(key, list, (size_t)count * size);
}

void ald_key_data(ald_key *key, const ald_subset *data)
{
    const ald_target *y = &data->y;
    const int64_t n = data->x.rows;
    ald_key_int(key, n);
    ald_key_int(key, data->x.cols);
    ald_key_int(key, (int64_t)ald_matrix_fingerprint(&data->x));
    ald_key_int(key, y->kind);
    ald_key_int(key, y->n_classes);
    if (y->kind == ALD_TARGET_CLASSES)
        add_list(key, y->classes, n, sizeof *y->classes);
    else
        ald_key_int(key, (int64_t)ald_matrix_fingerprint(&y->values));
    add_list(key, y->labelled, n, sizeof *y->labelled);
    add_list(key, y->weights, n, sizeof *y->weights);
}

void ald_key_settings(ald_key *key, const ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    const ald_param *param;
    ald_key_text(key, ald_method_name(method));
    for (int i = 0; (param = ald_method_param(method, i)) != NULL; i++) {
        if (param->traits & ALD_PARAM_IS_COMPONENTS) continue;
        ald_key_text(key, ald_settings_text(settings, param->name));
        ald_key_int(key, ald_settings_given(settings, param->name));
    }
}

void ald_key_splits(ald_key *key, const ald_splits_options *options, int64_t rows)
{
    const int64_t numbers[] = {
        options->splits,          options->folds,         options->repeats, options->stratify,
        options->keep_duplicates, (int64_t)options->seed, options->n_parts, options->test_part,
    };
    ald_key_add(key, numbers, sizeof numbers);
    ald_key_add(key, &options->train, sizeof options->train);
    add_list(key, options->groups, rows, sizeof *options->groups);
    add_list(key, options->parts, rows, sizeof *options->parts);
}

/* What a candidate may choose from is in the rest of its key. The groups of its inner splits are the outer
 * ones'. */
static void add_choosing(ald_key *key, const ald_candidate *candidate)
{
    ald_key_int(key, candidate->choose);
    if (!candidate->choose) return;
    ald_key_int(key, candidate->rule);
    ald_key_splits(key, candidate->inner, 0);
}

void ald_key_candidate(ald_key *key, const ald_candidate *candidate, int setting)
{
    ald_key_int(key, candidate->kind);
    ald_key_int(key, candidate->n_dims);
    for (int k = 0; k < candidate->n_dims; k++) ald_key_int(key, candidate->dims[k]);
    for (int s = 0; s < candidate->n_settings; s++)
        if (setting < 0 || s == setting) ald_key_settings(key, candidate->settings[s]);
    add_choosing(key, candidate);
}
