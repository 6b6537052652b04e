/* Fits partial least squares to a CSV file, projects it and saves the model.
 *   fit FILE.csv TARGET MODEL.ald */
#include <alidade/alidade.h>
#include <stdio.h>
#include <stdlib.h>

static int say(const ald_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: fit FILE.csv TARGET MODEL.ald\n");
        return 2;
    }
    ald_context *context;
    ald_dataset *data;
    ald_settings *settings;
    ald_model *model;
    ald_error error;
    const ald_load_options load = {.size = sizeof load, .target = argv[2]};
    if (ald_context_new(NULL, &context, &error) < 0) return say(&error);
    if (ald_dataset_load(context, argv[1], &load, &data, &error) < 0) return say(&error);
    if (ald_settings_new(context, "pls", &settings, &error) < 0) return say(&error);
    if (ald_settings_set_int(settings, "n_components", 2, &error) < 0) return say(&error);
    if (ald_fit_dataset(context, settings, data, &model, &error) < 0) return say(&error);
    const ald_matrix *x = ald_dataset_x(data);
    double *z = malloc((size_t)(x->rows * ald_model_component_count(model)) * sizeof *z);
    if (!z || ald_transform(context, model, x, z, &error) < 0) return say(&error);
    printf("first row: %.4f %.4f\n", z[0], z[1]);
    if (ald_model_save(context, model, argv[3], &error) < 0) return say(&error);
    free(z);
    ald_model_free(model);
    ald_settings_free(settings);
    ald_dataset_free(data);
    ald_context_free(context);
    return 0;
}
