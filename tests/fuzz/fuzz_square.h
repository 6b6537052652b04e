/* A fuzz target for the n x n matrices that may come beside the rows: the file that includes this defines
 * FUZZ_SQUARE, the member of ald_inputs. The first byte tells the format. What can be read is fitted with. */
#include "fuzz/fuzzing.h"
#include "fuzz/memory_file.h"
#include "io/formats/square.h"

#include <alidade/alidade.h>

enum { n = 5, d = 2 };

static void fit(const ald_matrix *square)
{
    static const double cells[n * d] = {1, 2, 3, 5, -1, 0.5, 2, 2, 0, 7};
    static const int32_t classes[n] = {0, 1, 0, 1, 1};
    static ald_settings *settings;
    ald_error error;
    ald_model *model = NULL;
    const ald_matrix x = ald_matrix_row_major(cells, n, d, d);
    const ald_target y = ald_target_classes(classes, n, 2);
    ald_inputs inputs = ALD_INPUTS_INIT;
    inputs.x = &x;
    inputs.y = &y;
    inputs.FUZZ_SQUARE = square;
    if (!settings && (ald_settings_new(fuzzing_public(), "sdpp", &settings, &error) < 0 ||
                      ald_settings_set_text(settings, "max_iter", "3", &error) < 0))
        abort();
    fuzzing_expect_message(ald_fit_inputs(fuzzing_public(), settings, &inputs, &model, &error), &error);
    ald_model_free(model);
}

static const memory_file *file_for(const uint8_t *bytes, size_t size)
{
    static memory_file csv, mtx, npy;
    const uint8_t first = size ? bytes[0] : 0;
    if (!csv.path[0]) {
        memory_file_open(&csv, "square.csv");
        memory_file_open(&mtx, "square.mtx");
        memory_file_open(&npy, "square.npy");
    }
    if (first == 0x93) return &npy;
    return first == '%' ? &mtx : &csv;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const memory_file *file = file_for(bytes, size);
    ald_run run;
    ald_error error;
    ald_matrix square;
    memory_file_fill(file, bytes, size);
    ald_run_begin(&run, fuzzing_public(), &error);
    const ald_status status = ald_read_square(&run, file->path, &run.scratch, n, &square);
    fuzzing_expect_message(status, &error);
    if (status >= 0) fit(&square);
    ald_run_end(&run, status);
    return 0;
}
