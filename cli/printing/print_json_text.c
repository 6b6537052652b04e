/* JSON as text. jansson would print every number with 17 digits; here a number has the fewest that read back
 * alike. */
#include "printing/print_json.h"

#include <stdlib.h>
#include <string.h>

typedef struct text_buffer {
    char *text;
    size_t size, room;
} text_buffer;

/* 0 or -1, as jansson wants of a callback. */
static int put(const char *text, size_t size, void *user)
{
    text_buffer *buffer = user;
    if (buffer->room - buffer->size <= size) {
        const size_t room = 2 * (buffer->room + size) + 256;
        char *grown = realloc(buffer->text, room);
        if (!grown) return -1;
        buffer->text = grown;
        buffer->room = room;
    }
    memcpy(buffer->text + buffer->size, text, size);
    buffer->size += size;
    buffer->text[buffer->size] = '\0';
    return 0;
}

static int put_text(text_buffer *buffer, const char *text)
{
    return put(text, strlen(text), buffer);
}

static int put_line_end(text_buffer *buffer, int depth)
{
    int failed = put_text(buffer, "\n");
    for (int i = 0; i < depth; i++) failed |= put_text(buffer, "  ");
    return failed;
}

/* With a point or an exponent, so that readers that distinguish whole numbers see a real one. */
static int put_real(text_buffer *buffer, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (!(back < value) && !(back > value)) break;
    }
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    return put_text(buffer, text);
}

static int put_key(text_buffer *buffer, const char *key)
{
    json_t *text = json_string(key);
    const int failed = text ? json_dump_callback(text, put, buffer, JSON_ENCODE_ANY) : -1;
    json_decref(text);
    return failed | put_text(buffer, ": ");
}

static int put_value(text_buffer *buffer, json_t *value, int depth);

static int put_object(text_buffer *buffer, json_t *object, int depth)
{
    const char *key, *between = "{";
    json_t *value;
    int failed = 0;
    json_object_foreach(object, key, value)
    {
        failed |= put_text(buffer, between) | put_line_end(buffer, depth + 1) | put_key(buffer, key);
        failed |= put_value(buffer, value, depth + 1);
        between = ",";
    }
    if (*between == '{') return put_text(buffer, "{}");
    return failed | put_line_end(buffer, depth) | put_text(buffer, "}");
}

static int put_array(text_buffer *buffer, const json_t *array, int depth)
{
    const char *between = "[";
    int failed = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        failed |= put_text(buffer, between) | put_line_end(buffer, depth + 1);
        failed |= put_value(buffer, json_array_get(array, i), depth + 1);
        between = ",";
    }
    if (*between == '[') return put_text(buffer, "[]");
    return failed | put_line_end(buffer, depth) | put_text(buffer, "]");
}

static int put_value(text_buffer *buffer, json_t *value, int depth)
{
    if (json_is_object(value)) return put_object(buffer, value, depth);
    if (json_is_array(value)) return put_array(buffer, value, depth);
    if (json_is_real(value)) return put_real(buffer, json_real_value(value));
    return json_dump_callback(value, put, buffer, JSON_ENCODE_ANY);
}

/* To the file of --json=FILE, whole or not at all, else to standard output. */
static int write_text(cli_session *session, const text_buffer *buffer)
{
    if (!session->json_path || strcmp(session->json_path, "-") == 0) {
        /* What could not be written is reported once, at the end of main. */
        cli_put_lines(stdout, buffer->text);
        return CLI_DONE;
    }
    CLI_TRY(cli_stop(session));
    /* A warning about an earlier step stays what it is. */
    ald_error error;
    const ald_status status =
        ald_write_text(session->context, session->json_path, buffer->text, buffer->size, &error);
    if (status < 0) session->error = error;
    CLI_TRY(cli_check(session, status));
    cli_wrote(session, "%s", session->json_path);
    return CLI_DONE;
}

int cli_json_print(cli_session *session, json_t *value, int bad)
{
    text_buffer buffer = {0};
    const int failed = !value || bad || put_value(&buffer, value, 0) || put_text(&buffer, "\n");
    json_decref(value);
    const int code = failed ? cli_out_of_memory(session) : write_text(session, &buffer);
    free(buffer.text);
    return code;
}
