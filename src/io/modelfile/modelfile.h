/* The model file: safetensors layout. 8 bytes little-endian header length, JSON header, raw little-endian
 * arrays. */
#ifndef ALD_MODELFILE_MODELFILE_H
#define ALD_MODELFILE_MODELFILE_H

#include "base/core/json.h"
#include "base/core/model.h"
#include "base/core/text.h"

#include <alidade/model.h>

#define ALD_MODEL_FORMAT 2
/* What a model is written as: the least that has all it needs, so that older readers read what they can. */
#define ALD_MODEL_FORMAT_PLAIN 1
#define ALD_MODEL_FORMAT_STEPS 2 /* rows are prepared by steps (alidade.param.rows) */
/* Bytes; other readers of the layout have the same limit. */
#define ALD_MODEL_LONGEST_HEADER 100000000

ald_status ald_modelfile_write(ald_run *run, const ald_model *model, const char *path);
/* The same bytes in a block of the context's allocator, which the caller frees. */
ald_status ald_modelfile_bytes(ald_run *run, const ald_model *model, unsigned char **bytes, size_t *size);
/* `model` is new and empty. "-" is standard input. */
ald_status ald_modelfile_read(ald_run *run, const char *path, ald_model *model);
/* The same from memory; for the reader, its tests and the fuzzer. */
ald_status ald_modelfile_parse(ald_run *run, const unsigned char *bytes, size_t size, ald_model *model);

/* Whether the arrays and texts of a model fit together, so that those who use it need not ask again. The
 * reader calls it last. */
ald_status ald_model_check(ald_run *run, const ald_model *model);

/* Little-endian numbers, by shifts: the same on every host, and plain loads and stores where the host is
 * little-endian itself. */
static inline uint32_t ald_load_le32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline uint64_t ald_load_le64(const unsigned char *bytes)
{
    return (uint64_t)ald_load_le32(bytes) | (uint64_t)ald_load_le32(bytes + 4) << 32;
}

static inline void ald_store_le64(unsigned char *bytes, uint64_t value)
{
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (8 * i));
}

/* The sums of a model file: one for each array and one for the header, in the texts of the header, so that a
 * file whose bytes have changed is not used. `alidade.sum.NAME` is that of the bytes of an array;
 * `alidade.sum` that of the header, taken with zeros for its own 16 digits. Files of older versions have
 * none. A file that has any has all. */

#define ALD_SUM_KEY "alidade.sum"

/* Whether the text belongs to the file and not to the model. */
int ald_is_sum(const char *key);

/* `header` as it stands in the file. */
ald_status ald_sums_check_header(ald_run *run, json_t *metadata, const char *header, size_t size);
ald_status ald_sums_check_array(ald_run *run, json_t *metadata, const char *name, const unsigned char *bytes,
                                size_t size);

#endif
