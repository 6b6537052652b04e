/* Messages of errors, and pointers that a public function cannot do without. */
#include "base/core/error.h"

#include <alidade/version.h>
#include <stdio.h>
#include <string.h>

ald_status ald_fail_list(ald_error *error, ald_status status, int64_t line, int64_t column,
                         const char *format, va_list list)
{
    if (!error) return status;
    error->status = status;
    error->line = line;
    error->column = column;
    const int written = vsnprintf(error->message, sizeof error->message, format, list);
    if (written < 0) error->message[0] = '\0';
    if (written >= (int)sizeof error->message) memcpy(error->message + sizeof error->message - 4, "...", 4);
    return status;
}

ald_status ald_fail_at(ald_error *error, ald_status status, int64_t line, int64_t column, const char *format,
                       ...)
{
    va_list list;
    va_start(list, format);
    ald_fail_list(error, status, line, column, format, list);
    va_end(list);
    return status;
}

ald_status ald_fail(ald_error *error, ald_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ald_fail_list(error, status, 0, 0, format, list);
    va_end(list);
    return status;
}

ald_status ald_fail_in(ald_error *error, ald_status status, const char *file)
{
    const long long line = (long long)error->line, column = (long long)error->column;
    const size_t length = strlen(file);
    char message[ALD_MESSAGE_SIZE], place[80] = "";
    memcpy(message, error->message, sizeof message);
    if (strncmp(message, file, length) == 0 && message[length] == ':') return status;
    if (line > 0) snprintf(place, sizeof place, "line %lld: ", line);
    if (line > 0 && column > 0) snprintf(place, sizeof place, "line %lld, column %lld: ", line, column);
    return ald_fail_at(error, status, line, column, "%s: %s%s", file, place, message);
}

void ald_clear_error(ald_error *error)
{
    if (error) memset(error, 0, sizeof *error);
}

const char *ald_status_name(ald_status status)
{
    static const struct {
        ald_status status;
        const char *name;
    } names[] = {
        {ALD_OK, "done"},
        {ALD_NOT_CONVERGED, "not converged"},
        {ALD_RANK_REDUCED, "rank reduced"},
        {ALD_DIGITS_LOST, "digits lost"},
        {ALD_ERROR_ARGUMENT, "wrong argument"},
        {ALD_ERROR_MEMORY, "out of memory"},
        {ALD_ERROR_DATA, "unsuitable data"},
        {ALD_ERROR_IO, "input or output failed"},
        {ALD_ERROR_FORMAT, "wrong file format"},
        {ALD_ERROR_NUMERICAL, "numerical failure"},
        {ALD_ERROR_UNSUPPORTED, "not supported"},
        {ALD_ERROR_CANCELLED, "cancelled"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status) return names[i].name;
    return "unknown status";
}

const char *ald_version(void)
{
    return ALD_VERSION;
}

/* Name `index` of "context, x", with its length. */
static const char *name_at(const char *names, size_t index, size_t *length)
{
    for (; index > 0; index--) names += strcspn(names, ",") + 2;
    *length = strcspn(names, ",");
    return names;
}

ald_status ald_check_given(ald_error *error, const char *function, const char *names,
                           const void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length;
        if (pointers[i]) continue;
        const char *name = name_at(names, i, &length);
        return ald_fail(error, ALD_ERROR_ARGUMENT, "%s: %.*s is NULL", function, (int)length, name);
    }
    return ALD_OK;
}
