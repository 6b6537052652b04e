/* Categories: the distinct cells of a column in a fixed order (numbers numerically, texts bytewise, nominal
 * ones as the file declares them), so that the same data gives the same codes whatever the order of its rows.
 */
#include "data/levels/categories.h"
#include "base/core/text.h"
#include "base/numbers/number.h"
#include "base/numbers/ordering.h"
#include "io/table/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One category while they are collected. */
typedef struct entry {
    char *name;
    int64_t text;  /* number of the text in its column, -1: a number */
    double number; /* NaN: a text that is none */
    int64_t uses;
} entry;

static int compare_numbers(const void *a, const void *b)
{
    return ald_compare_reals(&((const entry *)a)->number, &((const entry *)b)->number);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const entry *)a)->name, ((const entry *)b)->name);
}

/* 7 before 10; 07 before 7, which a reader that keeps codes as text distinguishes. */
static int compare_values(const void *a, const void *b)
{
    const int order = compare_numbers(a, b);
    return order ? order : compare_names(a, b);
}

typedef struct collection {
    ald_arena *arena; /* for the names */
    int64_t *text_uses;
    double *numbers; /* of all cells that are numbers */
    int64_t n_numbers;
    entry *entries;
    int64_t count;
} collection;

static void collect_cells(collection *c, const ald_column_cells *cells)
{
    for (int64_t i = 0; i < cells->rows; i++) {
        const double cell = cells->first[i * cells->stride];
        int64_t text;
        if (cells->dropped && cells->dropped[i]) continue;
        if (!isnan(cell))
            c->numbers[c->n_numbers++] = cell + 0.0; /* no negative zero */
        else if (ald_cell_is_text(cell, &text))
            c->text_uses[text]++;
    }
    ald_sort_reals(c->n_numbers, c->numbers);
}

static int64_t count_distinct(const double *sorted, int64_t n)
{
    int64_t distinct = n > 0;
    for (int64_t i = 1; i < n; i++) distinct += sorted[i] != sorted[i - 1];
    return distinct;
}

static ald_status add_number(ald_run *run, collection *c, double number)
{
    char text[ALD_REAL_TEXT_SIZE];
    const int length = ald_format_real(number, text);
    entry *e = &c->entries[c->count];
    *e = (entry){.text = -1, .number = number, .uses = 0};
    ALD_TRY(ald_keep_text(run, c->arena, text, (size_t)length, &e->name));
    c->count++;
    return ALD_OK;
}

static ald_status add_text(ald_run *run, collection *c, const ald_column *column, int64_t text)
{
    entry *e = &c->entries[c->count];
    *e = (entry){.text = text, .number = NAN, .uses = c->text_uses[text]};
    const size_t length = strlen(column->levels[text]);
    ALD_TRY(ald_keep_text(run, c->arena, column->levels[text], length, &e->name));
    if (!ald_parse_real(e->name, length, &e->number)) e->number = NAN;
    c->count++;
    return ALD_OK;
}

/* Numerically when all are numbers, else bytewise; the file's own order when it declares one. */
static void sort_entries(collection *c, const ald_column *column)
{
    int numeric = 1;
    for (int64_t k = 0; k < c->count; k++) numeric = numeric && !isnan(c->entries[k].number);
    if (column->nominal) return;
    qsort(c->entries, (size_t)c->count, sizeof *c->entries, numeric ? compare_values : compare_names);
}

int ald_name_is_number(const char *name)
{
    double number;
    return ald_parse_real(name, strlen(name), &number);
}

ald_status ald_names_sort(ald_run *run, int64_t count, char **names, int numbers)
{
    entry *entries;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *entries, &entries));
    for (int64_t k = 0; k < count; k++) {
        entries[k] = (entry){.name = names[k], .number = NAN};
        if (!ald_parse_real(names[k], strlen(names[k]), &entries[k].number)) entries[k].number = NAN;
    }
    qsort(entries, (size_t)count, sizeof *entries, numbers ? compare_values : compare_names);
    for (int64_t k = 0; k < count; k++) names[k] = entries[k].name;
    ald_arena_drop(&run->scratch, entries);
    return ALD_OK;
}

static ald_status collect_entries(ald_run *run, collection *c, const ald_column *column, int all_levels)
{
    const int64_t room = column->n_levels + count_distinct(c->numbers, c->n_numbers);
    ALD_TRY(ald_scratch(run, room, 1, sizeof *c->entries, &c->entries));
    for (int64_t k = 0; k < column->n_levels; k++)
        if (c->text_uses[k] > 0 || (all_levels && column->nominal)) ALD_TRY(add_text(run, c, column, k));
    for (int64_t i = 0; i < c->n_numbers; i++) {
        if (i == 0 || c->numbers[i] != c->numbers[i - 1]) ALD_TRY(add_number(run, c, c->numbers[i]));
        c->entries[c->count - 1].uses++;
    }
    sort_entries(c, column);
    return ALD_OK;
}

static ald_status new_categories(ald_run *run, int64_t n_texts, int64_t n_numbers, ald_categories **result)
{
    ald_categories *categories;
    ALD_TRY(ald_scratch_clear(run, 1, 1, sizeof *categories, &categories));
    ALD_TRY(ald_scratch(run, n_texts, 1, sizeof *categories->text_codes, &categories->text_codes));
    ALD_TRY(ald_scratch_reals(run, n_numbers, 1, &categories->numbers));
    ALD_TRY(ald_scratch(run, n_numbers, 1, sizeof *categories->number_codes, &categories->number_codes));
    for (int64_t k = 0; k < n_texts; k++) categories->text_codes[k] = -1;
    categories->n_texts = n_texts;
    *result = categories;
    return ALD_OK;
}

/* The numbers among the categories for the search, rising: entries[0 .. n), with their codes as `text`. */
static void set_numbers(ald_categories *categories, entry *entries, int64_t n)
{
    qsort(entries, (size_t)n, sizeof *entries, compare_numbers);
    for (int64_t k = 0; k < n; k++) {
        categories->numbers[k] = entries[k].number;
        categories->number_codes[k] = entries[k].text;
    }
    categories->n_numbers = n;
}

/* From the entries in their order to names and codes. */
static ald_status number_entries(ald_run *run, const collection *c, ald_categories *categories)
{
    ALD_TRY(ald_get(run, c->arena, c->count, 1, sizeof *categories->levels, &categories->levels));
    ALD_TRY(ald_scratch(run, c->count, 1, sizeof *categories->counts, &categories->counts));
    categories->count = c->count;
    for (int64_t k = 0; k < c->count; k++) {
        entry *e = &c->entries[k];
        categories->levels[k] = e->name;
        categories->counts[k] = e->uses;
        if (e->uses > c->entries[categories->commonest].uses) categories->commonest = k;
        if (e->text >= 0) categories->text_codes[e->text] = k;
    }
    int64_t n = 0;
    for (int64_t k = 0; k < c->count; k++) {
        c->entries[k].text = c->entries[k].text >= 0 ? -1 : k; /* now the code of a number */
        if (c->entries[k].text >= 0) c->entries[n++] = c->entries[k];
    }
    set_numbers(categories, c->entries, n);
    return ALD_OK;
}

ald_status ald_categories_find(ald_run *run, ald_arena *arena, const ald_column *column, int all_levels,
                               const ald_column_cells *cells, ald_categories **categories)
{
    collection c = {.arena = arena};
    ALD_TRY(ald_scratch(run, column->n_levels, 1, sizeof *c.text_uses, &c.text_uses));
    ALD_TRY(ald_scratch_reals(run, cells->rows, 1, &c.numbers));
    memset(c.text_uses, 0, (size_t)column->n_levels * sizeof *c.text_uses);
    collect_cells(&c, cells);
    ALD_TRY(collect_entries(run, &c, column, all_levels));
    ALD_TRY(new_categories(run, column->n_levels, c.count, categories));
    ALD_TRY(number_entries(run, &c, *categories));
    ald_arena_drop(&run->scratch, c.numbers);
    ald_arena_drop(&run->scratch, c.entries);
    ald_arena_drop(&run->scratch, c.text_uses);
    return ALD_OK;
}

/* The numbers among the known levels, rising, with their codes. */
static ald_status known_numbers(ald_run *run, char **levels, int64_t count, ald_categories *categories)
{
    entry *entries;
    ALD_TRY(ald_scratch(run, count, 1, sizeof *entries, &entries));
    int64_t n = 0;
    for (int64_t k = 0; k < count; k++)
        if (ald_parse_real(levels[k], strlen(levels[k]), &entries[n].number)) entries[n++].text = k;
    set_numbers(categories, entries, n);
    ald_arena_drop(&run->scratch, entries);
    return ALD_OK;
}

/* The level that is the same word for true or false in other letters; -1: none. */
static int64_t same_truth(char *const *levels, int64_t count, const char *text)
{
    const int truth = strcasecmp(text, "true") == 0 || strcasecmp(text, "false") == 0;
    for (int64_t k = 0; truth && k < count; k++)
        if (strcasecmp(levels[k], text) == 0) return k;
    return -1;
}

ald_status ald_categories_match(ald_run *run, const ald_column *column, char **levels, int64_t count,
                                ald_categories **categories)
{
    ald_name_index index;
    ALD_TRY(new_categories(run, column->n_levels, count, categories));
    ALD_TRY(ald_name_index_new(run, count, &index));
    for (int64_t k = 0; k < count; k++) ald_name_index_add(&index, levels[k], k);
    for (int64_t k = 0; k < column->n_levels; k++) {
        const char *level = column->levels[k];
        const int64_t code = ald_name_index_find(&index, level, strlen(level));
        (*categories)->text_codes[k] = code < 0 ? same_truth(levels, count, level) : code;
    }
    ald_arena_drop(&run->scratch, index.slots);
    (*categories)->levels = levels;
    (*categories)->count = count;
    return known_numbers(run, levels, count, *categories);
}

int64_t ald_category_of(const ald_categories *categories, double cell)
{
    int64_t text;
    if (ald_cell_is_text(cell, &text)) return text < categories->n_texts ? categories->text_codes[text] : -1;
    int64_t low = 0, high = categories->n_numbers;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (categories->numbers[middle] < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low < categories->n_numbers && categories->numbers[low] == cell ? categories->number_codes[low]
                                                                           : -1;
}

int ald_are_too_many_levels(int64_t levels, int64_t rows)
{
    enum { never_too_many = 20 };
    return levels > never_too_many && levels > rows / 2;
}

ald_status ald_names_listed(ald_run *run, char *const *names, int64_t count, const char **text)
{
    enum { most_listed = 10 };
    ald_text list;
    ald_text_init(&list, &run->scratch);
    for (int64_t k = 0; k < count && k < most_listed; k++)
        ALD_TRY(ald_text_print(run, &list, "%s'%.40s'", k ? ", " : "", names[k]));
    if (count > most_listed) ALD_TRY(ald_text_print(run, &list, ", ... (%lld in all)", (long long)count));
    *text = list.data ? list.data : "none";
    return ALD_OK;
}

const char *ald_cell_shown(const ald_column *column, double cell, char *buffer, size_t size)
{
    int64_t text;
    if (ald_cell_is_text(cell, &text)) return text < column->n_levels ? column->levels[text] : "?";
    char number[ALD_REAL_TEXT_SIZE];
    ald_format_real(cell, number);
    snprintf(buffer, size, "%s", number);
    return buffer;
}
