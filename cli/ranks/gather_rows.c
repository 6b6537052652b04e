#include "ranks/gather_rows.h"

#include <stdlib.h>
#include <string.h>

int cli_rows_are_shared(const cli_session *session)
{
    return ald_ranks_size(session->ranks.all) > 1;
}

int cli_waits(const cli_session *session)
{
    return ald_ranks_rank(session->ranks.all) > 0;
}

int cli_gather(cli_session *session, ald_status status, const void *values, size_t size, unsigned char **all,
               size_t **sizes)
{
    size_t *each = calloc((size_t)ald_ranks_size(session->ranks.all), sizeof *each);
    *all = NULL;
    if (!each) return cli_out_of_memory(session);
    const int code =
        cli_check_data(session, session->args.operands[1],
                       ald_ranks_gather(session->context, status, values, size, all, each, &session->error));
    if (sizes && code == CLI_DONE)
        *sizes = each;
    else
        free(each);
    return code;
}

/* A sum of the bytes of its file. */
static ald_status sum_model(cli_session *session, const ald_model *model, uint64_t *sum)
{
    unsigned char *bytes;
    size_t size;
    const ald_status status = ald_model_to_bytes(session->context, model, &bytes, &size, &session->error);
    *sum = 0;
    for (size_t i = 0; status >= 0 && i < size; i++) *sum = (*sum ^ bytes[i]) * 0x100000001b3U;
    ald_bytes_free(session->context, bytes);
    return status;
}

/* On rank 0. */
static int check_sums(cli_session *session, const char *path, const unsigned char *sums)
{
    for (int r = 1; sums && r < ald_ranks_size(session->ranks.all); r++)
        if (memcmp(sums + (size_t)r * sizeof(uint64_t), sums, sizeof(uint64_t)) != 0)
            return cli_fail(session,
                            "%s is not the same model on all ranks: that of rank %d is not that of rank 0",
                            cli_path_name(path), r);
    return CLI_DONE;
}

int cli_load_shared_model(cli_session *session, const char *path, ald_model **model)
{
    unsigned char *sums;
    uint64_t own;
    CLI_TRY(cli_ranks_settle(session, cli_load_model(session, path, model)));
    if (!cli_rows_are_shared(session)) return CLI_DONE;
    const ald_status status = sum_model(session, *model, &own);
    int code = cli_gather(session, status, &own, sizeof own, &sums, NULL);
    if (code == CLI_DONE) code = check_sums(session, path, sums);
    ald_bytes_free(session->context, sums);
    return cli_ranks_settle(session, code);
}

int cli_project(cli_session *session, const ald_model *model, const ald_matrix *x, const char *path,
                cli_projection *p)
{
    const size_t size = (size_t)x->rows * (size_t)ald_model_component_count(model) * sizeof *p->z;
    const int shared = cli_rows_are_shared(session);
    ald_status status = ALD_OK;
    *p = (cli_projection){0};
    p->z = p->own = malloc(size + 1);
    if (!p->own) return cli_out_of_memory(session);
    if (x->rows > 0 || !shared) status = ald_transform(session->context, model, x, p->z, &session->error);
    if (!shared) return cli_check_data(session, path, status);
    CLI_TRY(cli_gather(session, status, p->own, size, &p->all, NULL));
    p->z = (double *)(void *)p->all;
    return CLI_DONE;
}

void cli_projection_free(cli_session *session, cli_projection *p)
{
    free(p->own);
    ald_bytes_free(session->context, p->all);
}

int cli_count_rows(cli_session *session, int64_t *rows)
{
    unsigned char *all;
    if (!cli_rows_are_shared(session)) return CLI_DONE;
    CLI_TRY(cli_gather(session, ALD_OK, rows, sizeof *rows, &all, NULL));
    for (int r = 1; all && r < ald_ranks_size(session->ranks.all); r++) {
        int64_t more;
        memcpy(&more, all + (size_t)r * sizeof more, sizeof more);
        *rows += more;
    }
    ald_bytes_free(session->context, all);
    return CLI_DONE;
}

/* Not 0: no memory. */
static int extend(json_t *own, json_t *other)
{
    const char *key;
    json_t *value;
    int bad = 0;
    json_object_foreach(other, key, value)
    {
        json_t *mine = json_object_get(own, key);
        bad |= json_is_array(mine) ? json_array_extend(mine, value) : extend(mine, value);
    }
    return bad;
}

/* Those of rank 0 itself come first. */
static int extend_all(cli_session *session, const unsigned char *all, const size_t *sizes, json_t *own)
{
    const unsigned char *at = all + sizes[0];
    for (int r = 1; r < ald_ranks_size(session->ranks.all); at += sizes[r++]) {
        json_t *other = json_loadb((const char *)at, sizes[r], 0, NULL);
        const int bad = !other || extend(own, other);
        json_decref(other);
        if (bad) return cli_out_of_memory(session);
    }
    return CLI_DONE;
}

int cli_gather_json(cli_session *session, json_t *own, int bad)
{
    unsigned char *all;
    size_t *sizes = NULL;
    if (!cli_rows_are_shared(session)) return CLI_DONE;
    char *text = bad ? NULL : json_dumps(own, JSON_COMPACT);
    int code =
        cli_gather(session, text ? ALD_OK : ALD_ERROR_MEMORY, text, text ? strlen(text) : 0, &all, &sizes);
    free(text);
    if (code != CLI_DONE) return code;
    if (all) code = extend_all(session, all, sizes, own);
    ald_bytes_free(session->context, all);
    free(sizes);
    return code;
}
