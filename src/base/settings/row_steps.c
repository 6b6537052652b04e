/* The words of row steps: parsed, checked and written again. */
#include "base/settings/row_steps.h"

#include "base/numbers/number.h"

#include <stdio.h>
#include <string.h>

enum { highest_degree = 10, widest_window = 9999, most_numbers = 3 };

typedef struct step_words {
    const char *name;
    int numbers, least; /* how many it takes, and how many it cannot do without */
    int64_t initial[most_numbers];
} step_words;

static const step_words known[] = {
    [ALD_ROW_SNV] = {"snv", 0, 0, {0}},
    [ALD_ROW_MSC] = {"msc", 0, 0, {0}},
    [ALD_ROW_DETREND] = {"detrend", 1, 0, {2}},
    [ALD_ROW_SAVGOL] = {"savgol", 3, 2, {0, 0, 0}},
};
enum { n_known = sizeof known / sizeof *known };

static ald_status wrong_step(const char *word, size_t length, ald_error *error)
{
    return ald_fail(error, ALD_ERROR_ARGUMENT,
                    "`rows` is none or a list of steps such as snv, msc, detrend:2 and savgol:11:2:1, "
                    "separated by commas; '%.*s' is not a step",
                    length < 40 ? (int)length : 40, word);
}

/* The numbers behind the name, each after a colon. */
static int take_numbers(const char *at, const char *end, const step_words *words, int64_t *numbers)
{
    int count = 0;
    memcpy(numbers, words->initial, sizeof words->initial);
    for (; at < end && count < words->numbers; count++) {
        const char *stop = ++at;
        while (stop < end && *stop != ':') stop++;
        if (!ald_parse_int(at, (size_t)(stop - at), &numbers[count])) return 0;
        at = stop;
    }
    return at == end && count >= words->least;
}

static ald_status check_detrend(const ald_row_step *step, ald_error *error)
{
    if (step->degree >= 0 && step->degree <= highest_degree) return ALD_OK;
    return ald_fail(error, ALD_ERROR_ARGUMENT, "`rows`: detrend takes a degree from 0 to %d, as detrend:2",
                    highest_degree);
}

static ald_status check_savgol(const ald_row_step *step, ald_error *error)
{
    if (step->window < 3 || step->window % 2 == 0 || step->window > widest_window)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "`rows`: the savgol window must be an odd number of columns from 3 to %d, not %lld",
                        widest_window, (long long)step->window);
    if (step->degree < 0 || step->degree >= step->window || step->degree > highest_degree)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "`rows`: the savgol degree must be from 0 to %lld with a window of %lld, not %lld",
                        (long long)(step->window > highest_degree ? highest_degree : step->window - 1),
                        (long long)step->window, (long long)step->degree);
    if (step->derivative < 0 || step->derivative > step->degree)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "`rows`: a polynomial of degree %lld has derivatives 0 (smoothing) to %lld, not %lld",
                        (long long)step->degree, (long long)step->degree, (long long)step->derivative);
    return ALD_OK;
}

static ald_status parse_step(const char *word, size_t length, ald_row_step *step, ald_error *error)
{
    int64_t numbers[most_numbers];
    for (int k = 0; k < n_known; k++) {
        const size_t size = strlen(known[k].name);
        if (length < size || strncmp(word, known[k].name, size) != 0) continue;
        if (length > size && word[size] != ':') continue;
        if (!take_numbers(word + size, word + length, &known[k], numbers))
            return wrong_step(word, length, error);
        *step = (ald_row_step){.kind = (ald_row_step_kind)k};
        if (k == ALD_ROW_DETREND) step->degree = numbers[0];
        if (k == ALD_ROW_DETREND) return check_detrend(step, error);
        if (k != ALD_ROW_SAVGOL) return ALD_OK;
        step->window = numbers[0];
        step->degree = numbers[1];
        step->derivative = numbers[2];
        return check_savgol(step, error);
    }
    return wrong_step(word, length, error);
}

ald_status ald_row_steps_parse(const char *text, ald_row_steps *steps, ald_error *error)
{
    steps->count = 0;
    if (strcmp(text, "none") == 0) return ALD_OK;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, ",+");
        if (steps->count == ALD_MOST_ROW_STEPS)
            return ald_fail(error, ALD_ERROR_ARGUMENT, "`rows` takes at most %d steps", ALD_MOST_ROW_STEPS);
        ALD_TRY(parse_step(at, length, &steps->step[steps->count++], error));
        at += length;
        if (!*at) return ALD_OK;
    }
}

/* The numbers of a step with the colons before them. */
static void write_numbers(const ald_row_step *step, char *text, size_t size)
{
    text[0] = '\0';
    if (step->kind == ALD_ROW_DETREND) snprintf(text, size, ":%lld", (long long)step->degree);
    if (step->kind == ALD_ROW_SAVGOL)
        snprintf(text, size, ":%lld:%lld:%lld", (long long)step->window, (long long)step->degree,
                 (long long)step->derivative);
}

void ald_row_steps_write(const ald_row_steps *steps, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (int k = 0; k < steps->count && used < size; k++) {
        char numbers[64];
        write_numbers(&steps->step[k], numbers, sizeof numbers);
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", k ? "+" : "",
                                 known[steps->step[k].kind].name, numbers);
    }
}

int ald_row_steps_learned(const ald_row_steps *steps)
{
    int count = 0;
    for (int k = 0; k < steps->count; k++) count += steps->step[k].kind == ALD_ROW_MSC;
    return count;
}

int ald_row_steps_linear(const ald_row_steps *steps)
{
    for (int k = 0; k < steps->count; k++)
        if (steps->step[k].kind == ALD_ROW_SNV || steps->step[k].kind == ALD_ROW_MSC) return 0;
    return 1;
}
