/* JSON output. Constructors give NULL when memory runs out, which jansson passes on as a failure to set. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "cli.h"

#include <jansson.h>

/* From now on the program ends where jansson lacks memory: its functions give NULL for that as for wrong
 * text, and a result would lack a name or a command without a word. No file is half written then, and the
 * next command removes a temporary one. mpirun ends the other ranks, as it does when one is killed. */
void cli_json_guard(void);
/* A number, or null where it is not finite. */
json_t *cli_json_real(double value);
/* A text; bytes that are not UTF-8 become '?'. NULL gives null. */
json_t *cli_json_text(const char *text);
/* A value kept as text in a model: a number, truth value or list when it reads as one, else the text. */
json_t *cli_json_value(const char *text);
/* The value of a parameter, by its type; `param` NULL: as above. */
json_t *cli_json_param(const ald_param *param, const char *text);
/* The texts of a model whose keys begin with `prefix`, under the rest of the key. */
json_t *cli_json_texts(const ald_model *model, const char *prefix);
/* json_write.c: prints the value with a line end, or writes it to the file of --json=FILE, and releases it;
 * `bad` says that something did not get in for want of memory. */
int cli_json_print(cli_session *session, json_t *value, int bad);

#endif
