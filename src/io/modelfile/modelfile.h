/* The model file: safetensors layout. 8 bytes little-endian header length, JSON header, raw little-endian
 * arrays. */
#ifndef ALD_MODELFILE_MODELFILE_H
#define ALD_MODELFILE_MODELFILE_H

#include "base/core/model.h"

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

#endif
