/* Reading JSON, with the difference between wrong text and no memory kept. */
#ifndef ALD_CORE_JSON_H
#define ALD_CORE_JSON_H

#include "base/core/run.h"

#include <jansson.h>

/* The parsed text, for json_decref by the caller; duplicate keys are errors. `what` begins the message. */
ald_status ald_json_parse(ald_run *run, const char *text, size_t length, const char *what, json_t **root);

#endif
