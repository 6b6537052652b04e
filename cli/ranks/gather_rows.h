/* Rows that several ranks share (mpirun alidade evaluate ...), put together on rank 0. */
#ifndef CLI_GATHER_ROWS_H
#define CLI_GATHER_ROWS_H

#include "cli.h"

#include <jansson.h>

/* Whether the rows of a file are shared; and whether this rank has nothing more to do than to wait for rank
 * 0, once they are gathered. */
int cli_rows_are_shared(const cli_session *session);
int cli_waits(const cli_session *session);
/* cli_load_model by all ranks, which may see different folders: where their models differ, all fail. */
int cli_load_shared_model(cli_session *session, const char *path, ald_model **model);
/* The values of each rank (`size` bytes), one behind the other, on rank 0, freed by ald_bytes_free; NULL
 * elsewhere. `status` is that of making them: where a rank has failed, all do. `sizes` (NULL: not wanted)
 * receives how much each gave, to be freed. */
int cli_gather(cli_session *session, ald_status status, const void *values, size_t size, unsigned char **all,
               size_t **sizes);
/* The projection of rows x, rows x components: of rows that are shared, of all of them on rank 0 (`z` is NULL
 * elsewhere). `path` is that of the rows, for messages. */
typedef struct cli_projection {
    double *z;
    void *own;          /* of this process, or NULL */
    unsigned char *all; /* gathered, or NULL */
} cli_projection;
int cli_project(cli_session *session, const ald_model *model, const ald_matrix *x, const char *path,
                cli_projection *projection);
void cli_projection_free(cli_session *session, cli_projection *projection);
/* How many rows all ranks have, on rank 0; alone: `rows`. */
int cli_count_rows(cli_session *session, int64_t *rows);
/* On rank 0 the lists of `own`, an object of lists or of such objects, get those of the other ranks behind
 * theirs. `bad` says that it lacks something for want of memory. */
int cli_gather_json(cli_session *session, json_t *own, int bad);

#endif
