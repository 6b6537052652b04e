/* Rows like those of a text collection: which words occur, few of very many, and topics as labels.
 *
 * Word w = 1 .. d has the weight 1/w (Zipf) and belongs to group 1 + (w - 1) mod 101. A row has one, two or
 * three labels, each count as likely, drawn among the 101 without repetition. Words are drawn until 60 are
 * different: with probability 1/2 from all words, else from the group of one of the row's labels, always by
 * weight. A row says which words it has, not how often they were drawn, and has length 1: its 60 entries are
 * 1/sqrt(60). */
#include "base/numbers/ordering.h"
#include "io/generating/generate.h"

#include <math.h>

enum { groups = 101, most_labels = 3, words_a_row = 60 };

typedef struct vocabulary {
    int64_t d;
    double *all;               /* sums of the weights of words 1 .. w */
    double *grouped;           /* the same within each group, group by group */
    int64_t start[groups + 1]; /* where each group begins in `grouped` */
} vocabulary;

static ald_status make_vocabulary(ald_run *run, int64_t d, vocabulary *v)
{
    v->d = d;
    ALD_TRY(ALD_SCRATCH(run, {&v->all, d, 1}, {&v->grouped, d, 1}));
    double sum = 0.0;
    for (int64_t w = 0; w < d; w++) v->all[w] = sum += 1.0 / (double)(w + 1);
    int64_t at = 0;
    for (int64_t g = 0; g < groups; g++) {
        v->start[g] = at;
        sum = 0.0;
        for (int64_t w = g; w < d; w += groups) v->grouped[at++] = sum += 1.0 / (double)(w + 1);
    }
    v->start[groups] = at;
    return ALD_OK;
}

/* The first place whose running sum exceeds a uniform part of the total. */
static int64_t draw(ald_random *random, const double *sums, int64_t count)
{
    const double wanted = ald_random_uniform(random) * sums[count - 1];
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sums[middle] > wanted)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int64_t draw_word(ald_random *random, const vocabulary *v, const int64_t *labels, int64_t n_labels)
{
    if (ald_random_below(random, 2) == 0) return draw(random, v->all, v->d);
    const int64_t g = labels[ald_random_below(random, n_labels)];
    return g + groups * draw(random, v->grouped + v->start[g], v->start[g + 1] - v->start[g]);
}

static int64_t draw_labels(ald_random *random, int64_t labels[most_labels])
{
    const int64_t count = 1 + ald_random_below(random, most_labels);
    for (int64_t k = 0; k < count;) {
        labels[k] = ald_random_below(random, groups);
        int64_t same = 0;
        for (int64_t i = 0; i < k; i++) same += labels[i] == labels[k];
        k += same == 0;
    }
    ald_sort_whole(count, labels);
    return count;
}

/* Puts a word among n rising ones unless it is there; gives how many there are. */
static int64_t add_word(int64_t word, int64_t *words, int64_t n)
{
    int64_t at = n;
    while (at > 0 && words[at - 1] > word) at--;
    if (at > 0 && words[at - 1] == word) return n;
    for (int64_t k = n; k > at; k--) words[k] = words[k - 1];
    words[at] = word;
    return n + 1;
}

static void draw_row(ald_random *random, const vocabulary *v, ald_table *table, int64_t row)
{
    int64_t labels[most_labels];
    int64_t *words = table->indices + row * words_a_row;
    double *values = table->values + row * words_a_row;
    const int64_t n_labels = draw_labels(random, labels);
    for (int64_t n = 0; n < words_a_row;) n = add_word(draw_word(random, v, labels, n_labels), words, n);
    for (int64_t k = 0; k < words_a_row; k++) values[k] = 1.0 / sqrt((double)words_a_row);
    table->pointers[row + 1] = (row + 1) * words_a_row;
    table->label_pointers[row + 1] = table->label_pointers[row] + n_labels;
    for (int64_t k = 0; k < n_labels; k++)
        table->label_values[table->label_pointers[row] + k] = (double)(labels[k] + 1);
}

static ald_status allocate(ald_run *run, int64_t n, ald_table *table)
{
    ald_arena *arena = table->arena;
    table->pointers = ald_arena_get(arena, n + 1, 1, sizeof *table->pointers);
    table->indices = ald_arena_get(arena, n, words_a_row, sizeof *table->indices);
    table->values = ald_arena_get(arena, n, words_a_row, sizeof *table->values);
    table->label_pointers = ald_arena_get(arena, n + 1, 1, sizeof *table->label_pointers);
    table->label_values = ald_arena_get(arena, n, most_labels, sizeof *table->label_values);
    if (!table->pointers || !table->indices || !table->values || !table->label_pointers ||
        !table->label_values)
        return ald_out_of_memory(run, n, 2 * words_a_row, sizeof *table->values);
    table->pointers[0] = table->label_pointers[0] = 0;
    return ALD_OK;
}

ald_status ald_finish_words(ald_run *run, const ald_recipe *recipe, ald_table *table)
{
    vocabulary v;
    ald_random random;
    table->rows = recipe->n;
    table->cols = recipe->d;
    table->sparse = 1;
    table->many_labels = 1;
    ALD_TRY(make_vocabulary(run, recipe->d, &v));
    ALD_TRY(allocate(run, recipe->n, table));
    for (int64_t i = 0; i < recipe->n; i++) {
        if (i % 1024 == 0) ALD_TRY(ald_progress(run, "generating", (double)i / (double)recipe->n));
        ald_random_seed(&random, recipe->seed, (uint64_t)i + 1);
        draw_row(&random, &v, table, i);
    }
    return ALD_OK;
}
