/* Option structs are copied to the size this library knows; fields that it does not know must be 0. */
#include "base/settings/options.h"

#include <ctype.h>
#include <string.h>

/* No struct of this interface is ever as large, and none is as small: else the size is what was left on the
 * stack. */
enum { least_bytes = sizeof(size_t) + 1, most_bytes = 4096 };

static size_t given_size(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

/* "ald_load_options" gives "ALD_LOAD_OPTIONS_INIT". */
static void name_initialiser(const char *type, char *name, size_t room)
{
    static const char end[] = "_INIT";
    size_t i = 0;
    for (; type[i] && i + sizeof end < room; i++) name[i] = (char)toupper((unsigned char)type[i]);
    memcpy(name + i, end, sizeof end);
}

ald_status ald_options_check(ald_error *error, const char *type, const void *given)
{
    char initialiser[80];
    if (!given) return ALD_OK;
    const size_t size = given_size(given);
    if (size >= least_bytes && size <= most_bytes) return ALD_OK;
    name_initialiser(type, initialiser, sizeof initialiser);
    return ald_fail(error, ALD_ERROR_ARGUMENT,
                    "%s: its size is %zu, so it was not initialised; write %s x = %s;", type, size, type,
                    initialiser);
}

/* Bytes past what this library knows are fields of a later version: they must not be in use. */
static ald_status check_rest(ald_error *error, const char *type, size_t size, const void *given)
{
    const unsigned char *bytes = given;
    for (size_t i = size; i < given_size(given); i++)
        if (bytes[i] != 0)
            return ald_fail(error, ALD_ERROR_UNSUPPORTED,
                            "%s: a field is set that this version of the library (%s) does not have", type,
                            ald_version());
    return ALD_OK;
}

ald_status ald_options_read(ald_error *error, const char *type, size_t size, const void *given, void *whole)
{
    memset(whole, 0, size);
    ALD_TRY(ald_options_check(error, type, given));
    if (given) {
        ALD_TRY(check_rest(error, type, size, given));
        memcpy(whole, given, given_size(given) < size ? given_size(given) : size);
    }
    memcpy(whole, &size, sizeof size);
    return ALD_OK;
}

static void write_fields(size_t size, const void *whole, size_t room, unsigned char *given)
{
    memcpy(given, &room, sizeof room);
    memset(given + sizeof room, 0, room - sizeof room);
    memcpy(given + sizeof room, (const unsigned char *)whole + sizeof room,
           (room < size ? room : size) - sizeof room);
}

void ald_options_write(size_t size, const void *whole, void *given)
{
    if (given) write_fields(size, whole, given_size(given), given);
}

void ald_options_write_at(size_t size, const void *whole, void *rows, int64_t index)
{
    if (!rows) return;
    const size_t room = given_size(rows);
    write_fields(size, whole, room, (unsigned char *)rows + (size_t)index * room);
}
