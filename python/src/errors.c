/* The library's sentences as Python exceptions. Rows and columns of arrays are counted from 0 here, those of
 * files stay as they are: an error of a file tells its line. */
#include "core.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    ald_status status;
    PyObject *const *exception;
} exceptions[] = {
    {ALD_ERROR_MEMORY, &PyExc_MemoryError},
    {ALD_ERROR_IO, &PyExc_OSError},
    {ALD_ERROR_CANCELLED, &PyExc_KeyboardInterrupt},
};

static PyObject *exception_for(ald_status status)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (exceptions[i].status == status) return *exceptions[i].exception;
    return PyExc_ValueError;
}

/* What messages about tables in memory begin with; their rows are counted like those of arrays. */
static const char in_memory[] = "the table: ";

/* Words that are followed by a number that counts from 1 in C. */
static const char *const counted[] = {"row ", "column ", "component "};

/* How long the word is that begins here and has a number behind it; 0: none does. */
static size_t counted_word(const char *message, const char *at)
{
    if (at > message && isalpha((unsigned char)at[-1])) return 0;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        const size_t length = strlen(counted[i]);
        if (strncmp(at, counted[i], length) == 0 && isdigit((unsigned char)at[length])) return length;
    }
    return 0;
}

/* The message with those numbers less by one. */
void core_count_from_zero(const char *message, char *text, size_t size)
{
    size_t used = 0;
    for (const char *at = message; *at && used + 24 < size;) {
        const size_t word = counted_word(message, at);
        if (!word) {
            text[used++] = *at++;
            continue;
        }
        memcpy(text + used, at, word);
        used += word;
        char *end;
        const long long number = strtoll(at + word, &end, 10);
        used += (size_t)snprintf(text + used, size - used, "%lld", number > 0 ? number - 1 : number);
        at = end;
    }
    text[used] = '\0';
}

/* In the words of Python (alidade._spelling); as it is where that cannot be asked. */
static PyObject *spelled(const char *text)
{
    PyObject *message = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    PyObject *module = message ? PyImport_ImportModule("alidade._spelling") : NULL;
    PyObject *better = module ? PyObject_CallMethod(module, "spelled", "O", message) : NULL;
    Py_XDECREF(module);
    if (!better) {
        PyErr_Clear();
        return message;
    }
    Py_DECREF(message);
    return better;
}

int core_raise(const ald_error *error, ald_status status)
{
    char text[CORE_TEXT_SIZE];
    if (error->line > 0 && strncmp(error->message, in_memory, sizeof in_memory - 1) != 0)
        snprintf(text, sizeof text, "%s", error->message);
    else
        core_count_from_zero(error->message, text, sizeof text);
    PyObject *message = spelled(text);
    if (!message) return PyErr_Occurred() ? -1 : (PyErr_NoMemory(), -1);
    PyErr_SetObject(exception_for(status), message);
    Py_DECREF(message);
    return -1;
}
