/* One matrix in every storage that the library takes. */
#ifndef ALD_TESTS_STORAGES_H
#define ALD_TESTS_STORAGES_H

#include <alidade/matrix.h>

enum { support_storage_count = 8 };

typedef struct support_matrix {
    ald_matrix view;
    const char *name;
    void *memory[3];
} support_matrix;

/* Storage `which` of the dense row-major x (n x d). f32 storages hold the nearest floats: make x of floats to
 * compare.
 */
support_matrix support_storage(int which, const double *x, int64_t n, int64_t d);
void support_storage_free(support_matrix *matrix);

#endif
