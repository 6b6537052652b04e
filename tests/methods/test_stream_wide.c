/* Streaming files of more columns than a square of them can be formed of. */
#include "streaming_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Single precision; the last two columns are weights and a response. */
static void write_wide_npy(const char *name)
{
    char header[128];
    const int used = snprintf(header, sizeof header,
                              "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }\n", n, wide + 2);
    const size_t size = 10 + (size_t)used + sizeof(float) * n * (wide + 2);
    double *x = support_normals(6, n * (wide + 2));
    unsigned char *bytes = malloc(size);
    memcpy(bytes, "\x93NUMPY\x01\x00", 8);
    bytes[8] = (unsigned char)used;
    bytes[9] = 0;
    memcpy(bytes + 10, header, (size_t)used);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < wide + 2; j++) {
            const int at = i * (wide + 2) + j;
            const int out =
                i % 5 == 0 || (i > 40 && i < 60); /* no weight, here and there and for whole blocks */
            float value = (float)((1 + j % 3) * x[at] + j % 7);
            if (j == wide) value = (float)(out ? 0.0 : fabs(x[at]));
            if (j == wide + 1) value = (float)(x[at - 5] + x[at - 6] + 0.1 * x[at]);
            memcpy(bytes + 10 + used + (size_t)at * sizeof value, &value, sizeof value);
        }
    write_bytes(name, bytes, size);
    free(bytes);
    free(x);
}

#define TWO_STAGE "ridge=1 tol=1e-14 solver=two-stage"

static const struct {
    const char *file, *method, *set;
} fits[] = {
    {"wide.svm", "lda", "n_components=2 " TWO_STAGE " predictor=linear"},
    {"wide.svm", "lda", "n_components=2 " TWO_STAGE " scale=standard row_scale=unit"},
    {"wide.svm", "pca", "n_components=2 solver=lanczos"},
    {"wide.svm", "lda",
     "n_components=2 ridge=100 tol=1e-14 solver=two-stage row_scale=standard predictor=gaussian"},
    {"wide.svm", "sir", "n_components=2 " TWO_STAGE},
    {"wide-many.svm", "pls", "n_components=2"},
    {"wide.svm", "spca", "n_components=2 solver=lanczos"},
    {"wide-many.svm", "plssb", "n_components=2 predictor=linear"},
    {"wide-many.svm", "hsl", "n_components=2 " TWO_STAGE " predictor=linear"},
    {"wide-many.svm", "cca", "n_components=2 " TWO_STAGE " predictor=linear"},
    {"wide-many.svm", "opls", "n_components=2 ridge_rel=0.001 tol=1e-14 solver=two-stage"},
    {"wide.npy", "sir", "n_components=2 n_slices=4 " TWO_STAGE " row_scale=standard"},
    {"wide.npy", "opls",
     "n_components=1 ridge=1000 tol=1e-14 solver=two-stage scale=standard predictor=linear"},
    {"wide.npy", "pca", "n_components=2 solver=lanczos"},
    {"wide.npy", "pca", "n_components=2 solver=randomized"},
};

/* More columns than a square of them can be formed of: by products with the rows of the file. The smallest
 * blocks, of which each prepares thousands of columns, are those of every third fit; ALD_LONG=1: of all. The
 * sanitizers see every fourth of the fits. */
static void wide_files_are_read_again_and_again(void **state)
{
    (void)state;
    static const int64_t blocks[] = {3000, 20000, 0}, long_blocks[] = {100000, 1000000, 0};
    const size_t step = support_stride() > 1 ? 4 : 1;
    const ald_load_options none = {0};
    const ald_load_options columns = {.target = "#5102", .weights = "#5101", .task = "regression"};
    write_wide_svmlight("wide.svm", 0);
    write_wide_svmlight("wide-many.svm", 1);
    write_wide_npy("wide.npy");
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i += step) {
        const int is_npy = strstr(fits[i].file, ".npy") != NULL, fewer = i % 3 != 0 && !getenv("ALD_LONG");
        compare_in((is_npy ? long_blocks : blocks) + fewer, fits[i].file, fits[i].method, fits[i].set,
                   is_npy ? columns : none);
    }
}

int main(void)
{
    static const char *const names[] = {
        "t.csv",  "t.svm",   "many.svm", "t.npy",    "ragged.csv",    "f.npy",
        "x.arff", "cut.npy", "h.csv",    "wide.svm", "wide-many.svm", "wide.npy",
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_files_are_read_again_and_again),
    };
    strcpy(folder, "/tmp/ald-stream-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(path_of(names[i]));
    rmdir(folder);
    return failed;
}
