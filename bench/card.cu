/* Fits with X on a card, in pinned or in ordinary memory, for docs/gpu.md: the whole call, the best of several, without
 * a predictor. Ten responses, 100 classes, factors that a few components find.
 *
 *   nvcc -O2 -std=c++17 -Iinclude -o build/card bench/card.cu -Lbuild -lalidade -Xlinker -rpath,build
 *   build/card card 1000000 1000 5 "pca n_components=5" "pls n_components=10" "lda n_components=5" "cca n_components=5"
 *
 * The first word is where X is: card, pinned, host (to the card), cpu (it stays). */
#include <alidade/alidade.h>
#include <alidade/device.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

static constexpr int64_t classes = 100, responses = 10;

static void write_row(int64_t i, int64_t d, double *x, double *y, int32_t *c)
{
    uint64_t state = (uint64_t)i * 2654435761u + 88172645463325252u;
    auto random = [&] {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return (double)(state >> 11) * 0x1p-53 - 0.5;
    };
    double factor[5];
    for (int k = 0; k < 8; k++) random();
    for (double &f : factor) f = 2.0 * random();
    *c = (int32_t)(i * 7919 % classes);
    for (int64_t j = 0; j < d; j++)
        x[j] = random() + 0.3 * factor[j % 5] * (1.0 + (double)(j % 7)) + (*c == j ? 1.0 : 0.0) + 0.5;
    for (int64_t j = 0; j < responses; j++) y[j] = x[j % d] + factor[j % 5] + random() + 3.0;
}

static void write_rows(int64_t n, int64_t d, double *x, double *y, int32_t *c)
{
    const int64_t parts = std::thread::hardware_concurrency();
    std::vector<std::thread> threads;
    for (int64_t t = 0; t < parts; t++)
        threads.emplace_back([=] {
            for (int64_t i = n * t / parts; i < n * (t + 1) / parts; i++)
                write_row(i, d, x + i * d, y + i * responses, c + i);
        });
    for (std::thread &t : threads) t.join();
}

static int fail(const ald_error &error)
{
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

static int time_fits(ald_context *context, const char *words, const ald_matrix *x, const ald_target *y, int repeats,
                     const char *where)
{
    ald_settings *settings;
    ald_error error;
    double best = 1e9;
    if (ald_settings_from_words(context, words, &settings, &error) < 0) return fail(error);
    for (int k = 0; k < repeats; k++) {
        ald_model *model;
        const auto began = std::chrono::steady_clock::now();
        if (ald_fit(context, settings, x, y, &model, &error) < 0) return fail(error);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
        ald_model_free(model);
    }
    printf("%s: %s %.4f s\n", where, words, best);
    ald_settings_free(settings);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 6) return fprintf(stderr, "card card|pinned|host|cpu ROWS COLUMNS REPEATS WORDS...\n"), 1;
    const std::string where = argv[1];
    const int64_t n = atoll(argv[2]), d = atoll(argv[3]);
    const size_t bytes = (size_t)(n * d) * sizeof(double);
    std::vector<double> y((size_t)(n * responses));
    std::vector<int32_t> c((size_t)n);
    ald_device *device;
    ald_context *context;
    ald_error error;
    void *x = nullptr, *there = nullptr;
    if (where != "pinned") x = malloc(bytes);
    if (where == "pinned" && cudaMallocHost(&x, bytes) != cudaSuccess) x = nullptr;
    if (!x) return fprintf(stderr, "no memory\n"), 1;
    write_rows(n, d, (double *)x, y.data(), c.data());
    if (ald_context_new(NULL, &context, &error) < 0) return fail(error);
    if (ald_device_open(where == "cpu" ? "cpu" : "cuda", &device, &error) < 0) return fail(error);
    ald_context_set_device(context, device, &error);
    ald_matrix rows = ald_matrix_row_major((double *)x, n, d, d);
    if (where == "card") {
        if (cudaMalloc(&there, bytes) != cudaSuccess) return fprintf(stderr, "no room on the card\n"), 1;
        cudaMemcpy(there, x, bytes, cudaMemcpyHostToDevice);
        rows.storage = ALD_ON_DEVICE;
        rows.values = there;
    }
    const ald_target codes = ald_target_classes(c.data(), n, classes);
    const ald_target numbers = ald_target_real(ald_matrix_row_major(y.data(), n, responses, responses));
    for (int k = 5; k < argc; k++) {
        const ald_target *y_of = strncmp(argv[k], "lda", 3) == 0 ? &codes : &numbers;
        if (strncmp(argv[k], "pca", 3) == 0 || strncmp(argv[k], "kpca", 4) == 0) y_of = NULL;
        if (time_fits(context, argv[k], &rows, y_of, atoi(argv[4]), argv[1])) return 1;
    }
    return 0;
}
