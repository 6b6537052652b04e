/* Sparse lda on a card and on the processor: how long, what is copied, how far apart.
 *
 *     gcc -O2 -fopenmp bench/sparse_on_card.c -Iinclude -Lbuild -lalidade -lm -o sparse_on_card
 *     ./sparse_on_card ROWS COLUMNS ENTRIES-PER-ROW CLASSES f64|f32 DEVICES TIMES WORDS...
 *     ./sparse_on_card 1000000 100000 100 20 f64 cuda 3 lda solver=two-stage max_iter=50 tol=1e-15 ridge=1
 *
 * DEVICES: names with commas between; the directions of each are compared with those of the first. Columns
 * of a row are drawn one from each of ENTRIES-PER-ROW stretches, values from 0 to 1 times 1 to 16, larger
 * for a class in every CLASSES-th column. With ALD_STAGES=1 in the environment stages are printed as they
 * begin. */
#include <alidade/alidade.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static double began;
static char stage_before[100];

static int show_stage(void *user, const char *stage, double done)
{
    (void)user;
    if (strcmp(stage, stage_before) != 0) printf("    %.3f s: %s (%.2f)\n", now() - began, stage, done);
    snprintf(stage_before, sizeof stage_before, "%s", stage);
    return 0;
}

static void show_line(void *user, ald_log_level level, const char *line)
{
    (void)user;
    if (level <= ALD_LOG_WARNING || getenv("ALD_STAGES")) printf("    %.3f s: %s\n", now() - began, line);
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static ald_matrix draw(int64_t n, int64_t d, int64_t each, int classes, int single, int32_t *y)
{
    int32_t *pointers = malloc((size_t)(n + 1) * sizeof *pointers),
            *indices = malloc((size_t)(n * each) * sizeof *indices);
    void *values = malloc((size_t)(n * each) * (single ? sizeof(float) : sizeof(double)));
    const int64_t stretch = d / each;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < n; i++) {
        y[i] = (int32_t)(mix((uint64_t)i) % (uint64_t)classes);
        pointers[i + 1] = (int32_t)((i + 1) * each);
        for (int64_t e = 0; e < each; e++) {
            const uint64_t r = mix((uint64_t)(i * each + e) * 2 + 1);
            const int64_t j = e * stretch + (int64_t)(r % (uint64_t)stretch);
            const double size = (double)(1 << j % 5); /* LSQR takes its time */
            const double value =
                size * ((double)(mix(r) >> 11) * 0x1p-53 + (j % classes == y[i] ? 0.5 : 0.0));
            indices[i * each + e] = (int32_t)j;
            if (single)
                ((float *)values)[i * each + e] = (float)value;
            else
                ((double *)values)[i * each + e] = value;
        }
    }
    pointers[0] = 0;
    return (ald_matrix){
        .storage = ALD_CSR,
        .type = single ? ALD_F32 : ALD_F64,
        .rows = n,
        .cols = d,
        .values = values,
        .pointers = pointers,
        .indices = indices,
        .index_bits = 32,
    };
}

static int fail(const ald_error *error)
{
    printf("    failed: %s\n", error->message);
    return 1;
}

/* The largest difference of the directions over their size. */
static double apart(const ald_model *one, const ald_model *other)
{
    ald_array a, b;
    double most = 0.0, size = 0.0;
    if (!ald_model_array(one, "components", &a) || !ald_model_array(other, "components", &b)) return NAN;
    const double *left = a.data, *right = b.data;
    for (int64_t e = 0; e < a.shape[0] * a.shape[1]; e++) {
        most = fmax(most, fabs(left[e] - right[e]));
        size = fmax(size, fabs(left[e]));
    }
    return most / size;
}

static int fit_on(const char *name, int times, const char *words, const ald_inputs *inputs, ald_model **first)
{
    ald_device *device;
    ald_context *context;
    ald_error error;
    ald_options options = ALD_OPTIONS_INIT;
    double start = now();
    options.log = show_line;
    if (getenv("ALD_STAGES")) options.progress = show_stage;
    if (ald_device_open(name, &device, &error) < 0) return fail(&error);
    if (ald_context_new(&options, &context, &error) < 0) return fail(&error);
    ald_context_set_device(context, device, &error);
    printf("%s: opened in %.3f s\n", name, now() - start);
    for (int t = 0; t < times; t++) {
        ald_device_facts before = ALD_DEVICE_FACTS_INIT, facts = ALD_DEVICE_FACTS_INIT;
        ald_model *model;
        ald_device_describe(device, &before, &error);
        began = now();
        stage_before[0] = '\0';
        if (ald_fit_words(context, words, inputs, &model, &error) < 0) return fail(&error);
        const double took = now() - began;
        ald_device_describe(device, &facts, &error);
        const char *iterations = ald_model_text(model, "alidade.resolved.iterations");
        printf("  fit %.3f s, iterations %s; %s %.3f s, %.2f GB in, %.2f GB out, %lld calls", took,
               iterations ? iterations : "-", facts.name, facts.seconds - before.seconds,
               (facts.bytes_in - before.bytes_in) / 1e9, (facts.bytes_out - before.bytes_out) / 1e9,
               (long long)(facts.calls - before.calls));
        if (*first) printf("; apart from the first %.1e", apart(*first, model));
        printf("\n");
        fflush(stdout);
        if (*first)
            ald_model_free(model);
        else
            *first = model;
    }
    ald_context_free(context);
    ald_device_close(device);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 9) return fprintf(stderr, "see the top of the file\n"), 1;
    const int64_t n = atoll(argv[1]), d = atoll(argv[2]), each = atoll(argv[3]);
    const int classes = atoi(argv[4]);
    char words[1000] = "", names[200];
    int32_t *y = malloc((size_t)n * sizeof *y);
    ald_model *first = NULL;
    int failed = 0;
    const double start = now();
    const ald_matrix x = draw(n, d, each, classes, strcmp(argv[5], "f32") == 0, y);
    const ald_target target = ald_target_classes(y, n, classes);
    ald_inputs inputs = ALD_INPUTS_INIT;
    inputs.x = &x;
    inputs.y = &target;
    printf("%lld x %lld, %.3g entries, drawn in %.1f s\n", (long long)n, (long long)d, (double)(n * each),
           now() - start);
    snprintf(names, sizeof names, "%s", argv[6]);
    for (int a = 8; a < argc; a++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", argv[a]);
    for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
        failed |= fit_on(name, atoi(argv[7]), words, &inputs, &first);
    ald_model_free(first);
    return failed;
}
