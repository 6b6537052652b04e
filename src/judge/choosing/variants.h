/* Settings of one method that differ by the values of grids, each with the words that tell it from the
 * others. */
#ifndef ALD_CHOOSING_VARIANTS_H
#define ALD_CHOOSING_VARIANTS_H

#include "judge/choosing/grid.h"
#include "judge/choosing/method_list.h"

/* Settings that are freed together. */
typedef struct ald_settings_list {
    ald_arena *memory;
    ald_settings **items;
    int64_t count, capacity;
} ald_settings_list;
/* Makes room for one more, so that what is put at items[count++] is freed. */
ald_status ald_settings_list_grow(ald_run *run, ald_settings_list *list);
void ald_settings_list_free(ald_settings_list *list);

typedef struct ald_variants {
    ald_settings_list *owner;
    ald_settings **settings; /* of the owner */
    const char **words;      /* "ridge=1 n_neighbors=5", "" */
    int count;
    int64_t *dims; /* of "components=" behind the method; NULL: none */
    int n_dims;
} ald_variants;

/* One variant: the method with those of `common` ("scale=standard", ends with NULL; may be NULL) that it has,
 * and the words behind its name. */
ald_status ald_variants_begin(ald_run *run, ald_settings_list *owner, const ald_named_method *named,
                              const char *const *common, ald_variants *v);
/* Whether the words behind the name of the method set this parameter. */
int ald_variants_fix(const ald_variants *v, const char *name);
/* Every variant with every value of the grid. */
ald_status ald_variants_expand(ald_run *run, const ald_grid *grid, ald_variants *v);
/* `wanted` variants, each with a value of every grid, drawn. */
ald_status ald_variants_draw(ald_run *run, const ald_grid *grids, int count, int64_t wanted, uint64_t seed,
                             ald_variants *v);

/* "name=value" to its two parts in the run's scratch; `where` begins the message where it is not. */
ald_status ald_assignment_cut(ald_run *run, const char *where, const char *text, size_t length, char **name,
                              char **value);
/* Sets those of `common` that the settings have. */
ald_status ald_settings_set_common(ald_run *run, const char *const *common, ald_settings *settings);

#endif
