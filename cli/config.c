/* --config FILE: lines `name = value`, names as the long options. A line that begins with # is a comment;
 * further on a # belongs to the value, since columns are named #3. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { largest_config = 1 << 20 };

static int read_text(cli_session *session, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return cli_fail(session, "cannot read the config file %s: %s", path, strerror(errno));
    char *text = malloc(largest_config + 1);
    if (!text) {
        fclose(file);
        return cli_out_of_memory(session);
    }
    session->args.config_text = text;
    const size_t size = fread(text, 1, largest_config + 1, file);
    const int failed = ferror(file), reason = errno;
    fclose(file);
    if (failed) return cli_fail(session, "cannot read the config file %s: %s", path, strerror(reason));
    if (size > largest_config || memchr(text, '\0', size))
        return cli_fail(session, "%s is not a config file: lines of name = value are expected", path);
    text[size] = '\0';
    return CLI_DONE;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
    return text;
}

/* yes and no, for options that are flags on the command line. */
static int read_flag(const char *text, int *value)
{
    static const char *const words[] = {"no", "false", "0", "yes", "true", "1"};
    for (int i = 0; i < 6; i++)
        if (strcmp(words[i], text) == 0) {
            *value = i >= 3;
            return 1;
        }
    return 0;
}

/* Two values stand side by side on the line. */
static int take_two(cli_session *session, const char *where, char *value, cli_given *given)
{
    size_t first = strcspn(value, " \t");
    given->values[0] = value;
    given->values[1] = value[first] ? trim(value + first + 1) : "";
    value[first] = '\0';
    if (!*given->values[1] || strpbrk(given->values[1], " \t"))
        return cli_usage(session, "%s%s needs two values: %s", where, given->option->name,
                         given->option->value_name);
    return CLI_DONE;
}

/* yes or no; where the flag may name a file, any other word is its name. */
static int take_flag(cli_session *session, const char *where, cli_given *given)
{
    if (read_flag(given->values[0], &given->count))
        given->values[0] = NULL;
    else if (given->option->type == CLI_FLAG)
        return cli_usage(session, "%s%s = %s: expected yes or no", where, given->option->name,
                         given->values[0]);
    return CLI_DONE;
}

static int take_value(cli_session *session, const char *where, char *value, cli_given *given)
{
    const cli_option *option = given->option;
    given->values[0] = value;
    if (!option) return CLI_DONE;
    if (strcmp(option->name, "config") == 0 || strcmp(option->name, "help") == 0)
        return cli_usage(session, "%s%s belongs on the command line", where, option->name);
    if (cli_option_is_flag(option)) return take_flag(session, where, given);
    return option->values == 2 ? take_two(session, where, value, given) : CLI_DONE;
}

static int take_line(cli_session *session, int number, char *line)
{
    char where[300];
    snprintf(where, sizeof where, "%.250s:%d: ", session->args.config_path, number);
    line = trim(line);
    if (!*line || *line == '#') return CLI_DONE;
    char *equals = strchr(line, '=');
    if (!equals) return cli_usage(session, "%s'%.40s': expected name = value", where, line);
    *equals = '\0';
    char *name = trim(line), *value = trim(equals + 1);
    if (strncmp(name, "--", 2) == 0) name += 2;
    if (!*value) return cli_usage(session, "%s%s has no value: write %s = VALUE", where, name, name);
    cli_given given;
    CLI_TRY(cli_named_find(session, where, name, &given));
    given.line = number;
    snprintf(given.spelled, sizeof given.spelled, "%s", name);
    CLI_TRY(take_value(session, where, value, &given));
    return cli_given_add(session, where, &given);
}

int cli_config_read(cli_session *session, const char *path)
{
    session->args.config_path = path;
    CLI_TRY(read_text(session, path));
    char *line = session->args.config_text;
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0) line += 3; /* the mark some editors put before UTF-8 */
    for (int number = 1; line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        CLI_TRY(take_line(session, number, line));
        line = end ? end + 1 : NULL;
    }
    return CLI_DONE;
}
