#include "base/core/context.h"

#include <stdarg.h>
#include <stdio.h>

void ald_log(const ald_context *context, ald_log_level level, const char *format, ...)
{
    if (!context->log) return;
    char line[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    context->log(context->log_user, level, line);
}
