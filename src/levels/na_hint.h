/* What to say of a text among numbers: it may stand for no value. */
#ifndef ALD_LEVELS_NA_HINT_H
#define ALD_LEVELS_NA_HINT_H

#include <stddef.h>

/* ", or give `na=TEXT` if it stands for no value", written to `hint`; "" for texts that such a list cannot
 * hold. */
const char *ald_na_hint(const char *text, char *hint, size_t size);

#endif
