/* The library's messages put the names of its interface in backquotes: an argument or a parameter, with or
 * without a value (`n_components`, `unlabelled_rows=drop`), or a function (`ald_method_at`). Here, and
 * nowhere else, they become what is written on the command line: --components, --unlabelled-rows drop,
 * 'alidade methods'. */
#ifndef CLI_SPELLING_H
#define CLI_SPELLING_H

#include <alidade/status.h>
#include <stddef.h>

struct cli_verb;

/* Room for any message of the library as the command line spells it. */
enum { CLI_SPELLED_SIZE = 2 * ALD_MESSAGE_SIZE };

/* The message with its marked names as options of the verb or, where it has none of that name, of fit; what
 * is no option stays as it is. Gives `text`, or NULL for NULL. `verb` may be NULL. */
const char *cli_spell(const struct cli_verb *verb, const char *message, char *text, size_t size);

#endif
