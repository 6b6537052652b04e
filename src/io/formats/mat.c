/* MATLAB files (v4, v5, v7 and, where matio was built with HDF5, v7.3) through libmatio. A file of
 * version 7.3 is one of HDF5, whose library crashes on some damaged files: options->hdf5 says whether it is
 * refused, read in a process of its own, or trusted. X is the variable that options->x_variable names, or the
 * only matrix of numbers, or the one called X. The variable options->y_variable names is put behind the
 * columns of X, and table->n_target_columns says so.
 */
#include "io/reading/reader.h"

static const char *const endings[] = {".mat", NULL};

#ifndef ALD_HAVE_MATIO

static ald_status read_mat(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    (void)path;
    (void)options;
    (void)table;
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "this build cannot read MATLAB files; install libmatio-dev and build again, or save the "
                    "matrix as csv");
}

#else

#include "base/core/text.h"
#include "io/formats/mat_lengths.h"
#include "io/formats/matio_calls.h"
#include "io/reading/table_child.h"
#include "io/table/binary.h"
#include "io/table/columns.h"
#include "io/table/csr.h"
#include "io/table/table.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { block_elements = 4096, most_told = 20 };

/* Classes of variables, what to call them, and whether they hold numbers. */
static const struct {
    enum matio_classes class_type;
    const char *name;
    int numeric;
} classes[] = {
    {MAT_C_DOUBLE, "double", 1}, {MAT_C_SINGLE, "single", 1}, {MAT_C_INT8, "int8", 1},
    {MAT_C_UINT8, "uint8", 1},   {MAT_C_INT16, "int16", 1},   {MAT_C_UINT16, "uint16", 1},
    {MAT_C_INT32, "int32", 1},   {MAT_C_UINT32, "uint32", 1}, {MAT_C_INT64, "int64", 1},
    {MAT_C_UINT64, "uint64", 1}, {MAT_C_SPARSE, "sparse", 1}, {MAT_C_CHAR, "char", 0},
    {MAT_C_CELL, "cell", 0},     {MAT_C_STRUCT, "struct", 0}, {MAT_C_OBJECT, "object", 0},
};

static const struct {
    enum matio_types type;
    const char *code;
} data_types[] = {
    {MAT_T_DOUBLE, "f8"}, {MAT_T_SINGLE, "f4"}, {MAT_T_INT8, "i1"},  {MAT_T_UINT8, "u1"},
    {MAT_T_INT16, "i2"},  {MAT_T_UINT16, "u2"}, {MAT_T_INT32, "i4"}, {MAT_T_UINT32, "u4"},
    {MAT_T_INT64, "i8"},  {MAT_T_UINT64, "u8"},
};

typedef struct source {
    ald_matio_calls calls;
    ald_run *run;
    mat_t *file;
    double file_size; /* bytes */
    ald_table *table;
    ald_triplets entries; /* of a sparse table */
} source;

static const char *class_name(const matvar_t *variable, int *numeric)
{
    *numeric = 0;
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++) {
        if (classes[k].class_type != variable->class_type) continue;
        *numeric = classes[k].numeric && !variable->isComplex;
        return variable->isComplex ? "complex" : classes[k].name;
    }
    return "unknown";
}

/* A non-empty 2-D matrix of real numbers. */
static int is_usable(const matvar_t *variable)
{
    int numeric;
    class_name(variable, &numeric);
    return numeric && variable->rank == 2 && variable->dims && variable->dims[0] > 0 && variable->dims[1] > 0;
}

/* "X (150 x 4 double), y (150 x 1 double)": what a file holds, for messages. */
static ald_status mat_describe(ald_run *run, ald_text *text, const matvar_t *variable)
{
    int numeric;
    ALD_TRY(ald_text_print(run, text, "%s%.60s (", text->length ? ", " : "",
                           variable->name ? variable->name : "?"));
    for (int k = 0; k < variable->rank && k < 4 && variable->dims; k++)
        ALD_TRY(ald_text_print(run, text, "%s%llu", k ? " x " : "", (unsigned long long)variable->dims[k]));
    return ald_text_print(run, text, " %s)", class_name(variable, &numeric));
}

/* What the variables of the file offer for X. */
typedef struct survey {
    ald_text list;
    char *only; /* the last usable one */
    int variables, usable, has_x;
} survey;

static ald_status look_at(ald_run *run, const matvar_t *variable, const char *y, survey *found)
{
    if (found->variables++ < most_told) ALD_TRY(mat_describe(run, &found->list, variable));
    if (!variable->name || !is_usable(variable) || (y && strcmp(variable->name, y) == 0)) return ALD_OK;
    found->usable++;
    if (strcmp(variable->name, "X") == 0) found->has_x = 1;
    return ald_keep_text(run, &run->scratch, variable->name, strlen(variable->name), &found->only);
}

static ald_status survey_file(source *s, const char *y, survey *found)
{
    memset(found, 0, sizeof *found);
    ald_text_init(&found->list, &s->run->scratch);
    s->calls.rewind(s->file);
    for (;;) {
        matvar_t *variable = s->calls.read_next_info(s->file);
        if (!variable) break;
        const ald_status status = look_at(s->run, variable, y, found);
        s->calls.free(variable);
        ALD_TRY(status);
    }
    s->calls.rewind(s->file);
    return ALD_OK;
}

static ald_status fail_empty(source *s)
{
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "no variable can be read from the MATLAB file: it is empty, damaged or truncated");
}

static ald_status choose_x(source *s, const ald_load_options *options, const char **name)
{
    survey found;
    *name = options->x_variable;
    if (*name) return ALD_OK;
    ALD_TRY(survey_file(s, options->y_variable, &found));
    *name = found.has_x ? "X" : found.only;
    if (found.has_x || found.usable == 1) return ALD_OK;
    if (found.variables == 0) return fail_empty(s);
    return ald_fail(
        s->run->error, ALD_ERROR_DATA, "%s; name the one that holds X (`x_variable`). The file holds: %s%s",
        found.usable ? "several variables are matrices of numbers"
                     : "no variable is a matrix of real numbers",
        found.list.data ? found.list.data : "nothing", found.variables > most_told ? ", ..." : "");
}

static ald_status fail_unknown(source *s, const char *name)
{
    survey found;
    ALD_TRY(survey_file(s, NULL, &found));
    if (found.variables == 0) return fail_empty(s);
    return ald_fail(s->run->error, ALD_ERROR_ARGUMENT, "there is no variable '%.60s'; the file holds: %s%s",
                    name, found.list.data ? found.list.data : "nothing",
                    found.variables > most_told ? ", ..." : "");
}

static ald_status fail_unreadable(source *s, const char *name)
{
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "the values of variable '%.60s' cannot be read: the file is damaged", name);
}

static ald_status check_variable(source *s, const matvar_t *variable, const char *name)
{
    if (!is_usable(variable)) {
        ald_text text;
        ald_text_init(&text, &s->run->scratch);
        ALD_TRY(mat_describe(s->run, &text, variable));
        return ald_fail(
            s->run->error, ALD_ERROR_UNSUPPORTED,
            "variable %s cannot be used: a matrix (2 dimensions, not empty) of real numbers is required",
            text.data);
    }
    return variable->data ? ALD_OK : fail_unreadable(s, name);
}

/* matio allocates what the file claims before it reads it. Compression saves a factor of about 1000 at most,
 * so a matrix that claims more than the file could hold is damage, and not tried. */
static ald_status check_claim(source *s, const char *name)
{
    matvar_t *claimed = s->calls.read_info(s->file, name);
    if (!claimed) return fail_unknown(s, name);
    double values = claimed->class_type == MAT_C_SPARSE ? 0.0 : 1.0;
    for (int k = 0; k < claimed->rank && claimed->dims; k++) values *= (double)claimed->dims[k];
    const int believable = values <= 1100.0 * s->file_size;
    s->calls.free(claimed);
    s->calls.rewind(s->file);
    if (believable) return ALD_OK;
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "variable '%.60s' claims %.3g values, more than the file can contain: it is damaged",
                    name, values);
}

/* The variable with its values, to be freed. */
static ald_status load_variable(source *s, const char *name, matvar_t **variable)
{
    ALD_TRY(check_claim(s, name));
    *variable = s->calls.read(s->file, name);
    if (!*variable) return fail_unreadable(s, name);
    const ald_status status = check_variable(s, *variable, name);
    if (status >= 0) return ALD_OK;
    s->calls.free(*variable);
    *variable = NULL;
    return status;
}

static ald_status put(source *s, int64_t row, int64_t column, double value)
{
    ald_table *table = s->table;
    if (!isfinite(value)) ALD_TRY(ald_cell_not_finite(s->run, table, row, column, &value));
    if (table->sparse)
        return value == 0.0 ? ALD_OK : ald_triplets_add(s->run, &s->entries, row, column, value);
    table->cells[row * table->cols + column] = value;
    return ALD_OK;
}

/* Where a variable goes: behind `first_column`, and lying down if it is a row that stands for a column. */
typedef struct place {
    int64_t first_column;
    int transposed;
} place;

static ald_status put_block(source *s, const place *to, int64_t row, int64_t column, const double *values,
                            int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (to->transposed)
            ALD_TRY(put(s, column, to->first_column, values[i]));
        else
            ALD_TRY(put(s, row + i, to->first_column + column, values[i]));
    }
    return ALD_OK;
}

static ald_status damaged(source *s, const matvar_t *variable)
{
    return ald_fail(s->run->error, ALD_ERROR_FORMAT,
                    "variable '%.60s' is damaged: its parts do not fit together", variable->name);
}

static ald_status put_dense(source *s, const matvar_t *variable, const ald_binary_type *type, const place *to)
{
    const int64_t rows = (int64_t)variable->dims[0], cols = (int64_t)variable->dims[1];
    double values[block_elements];
    size_t bytes;
    if (!ald_size_product(rows, cols, (size_t)type->size, &bytes) || variable->nbytes < bytes)
        return damaged(s, variable);
    const unsigned char *data = variable->data;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i += block_elements) {
            const int64_t n = rows - i < block_elements ? rows - i : block_elements;
            type->convert(data, n, values);
            data += n * type->size;
            ALD_TRY(put_block(s, to, i, j, values, n));
        }
    return ALD_OK;
}

/* Compressed by columns: jc says where each column begins, ir the row of each entry. */
static ald_status put_sparse(source *s, const matvar_t *variable, const ald_binary_type *type,
                             const place *to)
{
    const mat_sparse_t *sparse = variable->data;
    const size_t rows = variable->dims[0], cols = variable->dims[1];
    if (sparse->njc != cols + 1 || !sparse->jc || (sparse->ndata && (!sparse->data || !sparse->ir)))
        return damaged(s, variable);
    const unsigned char *data = sparse->data;
    for (size_t j = 0; j < cols; j++) {
        if (sparse->jc[j + 1] > sparse->ndata || sparse->jc[j + 1] > sparse->nir) return damaged(s, variable);
        for (size_t k = sparse->jc[j]; k < sparse->jc[j + 1]; k++) {
            double value;
            if (sparse->ir[k] >= rows) return damaged(s, variable);
            type->convert(data + k * (size_t)type->size, 1, &value);
            ALD_TRY(put_block(s, to, (int64_t)sparse->ir[k], (int64_t)j, &value, 1));
        }
    }
    return ALD_OK;
}

static ald_status put_variable(source *s, const matvar_t *variable, const place *to)
{
    const ald_binary_type *type = NULL;
    for (size_t k = 0; k < sizeof data_types / sizeof *data_types; k++)
        if (data_types[k].type == variable->data_type) type = ald_binary_type_find(data_types[k].code);
    if (!type) return damaged(s, variable);
    return variable->class_type == MAT_C_SPARSE ? put_sparse(s, variable, type, to)
                                                : put_dense(s, variable, type, to);
}

/* y has a row for each row of X; a vector may lie or stand. */
static ald_status fit_target(source *s, const matvar_t *y, int *transposed)
{
    const int64_t rows = (int64_t)y->dims[0], cols = (int64_t)y->dims[1];
    *transposed = rows == 1 && cols == s->table->rows && cols > 1;
    if (!*transposed && rows != s->table->rows)
        return ald_fail(
            s->run->error, ALD_ERROR_DATA,
            "variable '%.60s' has %lld rows, but X has %lld: the target needs one row for each row of X",
            y->name, (long long)rows, (long long)s->table->rows);
    s->table->n_target_columns = *transposed ? 1 : cols;
    return ALD_OK;
}

static ald_status name_targets(source *s, const char *name)
{
    ald_table *table = s->table;
    const int64_t n = table->n_target_columns;
    for (int64_t k = 0; k < n; k++) {
        ald_text text;
        ald_text_init(&text, &s->run->scratch);
        ALD_TRY(ald_text_print(s->run, &text, "%s", name));
        if (n > 1) ALD_TRY(ald_text_print(s->run, &text, "%lld", (long long)k + 1));
        ALD_TRY(ald_name_column(s->run, table, table->cols - n + k, text.data, text.length));
    }
    return ALD_OK;
}

static ald_status get_cells(source *s)
{
    ald_table *table = s->table;
    if (table->sparse) return ALD_OK;
    ALD_TRY(
        ald_get_clear(s->run, table->arena, table->rows, table->cols, sizeof *table->cells, &table->cells));
    return ALD_OK;
}

/* `y` may be NULL. */
static ald_status fill_table(source *s, const matvar_t *x, const matvar_t *y)
{
    ald_table *table = s->table;
    const int64_t x_cols = (int64_t)x->dims[1];
    place to = {0, 0}, behind = {x_cols, 0};
    table->rows = (int64_t)x->dims[0];
    table->sparse = x->class_type == MAT_C_SPARSE;
    if (y) ALD_TRY(fit_target(s, y, &behind.transposed));
    table->cols = x_cols + table->n_target_columns;
    if (y) ALD_TRY(ald_table_make_columns(s->run, table));
    if (y) ALD_TRY(name_targets(s, y->name));
    ALD_TRY(get_cells(s));
    ALD_TRY(put_variable(s, x, &to));
    if (y) ALD_TRY(put_variable(s, y, &behind));
    if (table->sparse) ALD_TRY(ald_csr_from_triplets(s->run, &s->entries, table));
    ald_table_count_numbers(table);
    return ALD_OK;
}

static ald_status read_file(source *s, const ald_load_options *options)
{
    const char *name;
    matvar_t *x = NULL, *y = NULL;
    ALD_TRY(choose_x(s, options, &name));
    ALD_TRY(load_variable(s, name, &x));
    ald_status status = options->y_variable ? load_variable(s, options->y_variable, &y) : ALD_OK;
    if (status >= 0) status = fill_table(s, x, y);
    s->calls.free(x);
    s->calls.free(y);
    return status;
}

/* matio goes by these two bytes of the header, in either order. Anything else never reaches HDF5. */
static int is_hdf5(const unsigned char *head, size_t size)
{
    enum { at = 124 };
    return size >= at + 2 && ((head[at] == 0 && head[at + 1] == 2) || (head[at] == 2 && head[at + 1] == 0));
}

static ald_status read_here(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    struct stat about;
    source s = {
        .run = run,
        .table = table,
        .file_size = stat(path, &about) == 0 ? (double)about.st_size : 0.0,
    };
    ALD_TRY(ald_matio_load(run, &s.calls));
    s.file = s.calls.open(path, MAT_ACC_RDONLY);
    if (!s.file) return ald_fail(run->error, ALD_ERROR_FORMAT, "not a MATLAB file that libmatio can read");
    const ald_status status = read_file(&s, options);
    s.calls.close(s.file);
    return status;
}

static ald_status read_hdf5(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    static const char *const ways[] = {"refuse", "child", "trust", NULL};
    ald_matio_calls calls; /* loaded before there are two processes */
    int way;
    ALD_TRY(ald_choose_word(run, "hdf5", ways, options->hdf5, &way));
    if (way == 1) ALD_TRY(ald_matio_load(run, &calls));
    if (way == 1) return ald_table_read_in_child(run, read_here, path, options, table);
    if (way == 2) return read_here(run, path, options, table);
    return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                    "a MATLAB file of version 7.3 is read by the HDF5 library, which damaged files can "
                    "crash: set the option `hdf5` to child or trust, or save the file with -v7");
}

static ald_status read_mat(ald_run *run, const char *path, const ald_load_options *options, ald_table *table)
{
    if (strcmp(path, "-") == 0)
        return ald_fail(run->error, ALD_ERROR_UNSUPPORTED,
                        "MATLAB files cannot be read from standard input; give a file");
    ald_input *input;
    unsigned char head[128];
    size_t size = 0;
    ALD_TRY(ald_input_open(run, path,
                           &input)); /* for its messages: matio does not say why a file cannot be opened */
    const ald_status status = ald_input_read(run, input, head, sizeof head, &size);
    ald_input_close(input);
    ALD_TRY(status);
    if (is_hdf5(head, size)) return read_hdf5(run, path, options, table);
    if (ald_mat_is_v4(head, size) ? !ald_mat_v4_is_whole(path) : !ald_mat_v5_is_whole(path, head))
        return ald_fail(
            run->error, ALD_ERROR_FORMAT,
            "not a MATLAB file, or a damaged or truncated one: a variable extends beyond its end");
    return read_here(run, path, options, table);
}

#endif

const ald_reader ald_mat_reader = {
    .name = "mat",
    .endings = endings,
    .title = "MATLAB variables",
    .read_path = read_mat,
};
