#include "repeating/shell_line.h"

#include <string.h>

void cli_line_begin(cli_line *line, const char *text)
{
    line->used = 0;
    line->text[0] = '\0';
    cli_line_add(line, text);
}

int cli_line_fits(const cli_line *line)
{
    return line->used < CLI_LINE_SIZE;
}

void cli_line_add(cli_line *line, const char *text)
{
    const size_t length = strlen(text);
    if (line->used + length < CLI_LINE_SIZE) memcpy(line->text + line->used, text, length + 1);
    line->used += length;
}

static int is_plain(const char *word)
{
    return *word &&
           !word[strspn(word, "+-.,:/_=@%0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")];
}

static void add_quoted(cli_line *line, const char *word)
{
    cli_line_add(line, "'");
    for (const char *c = word; *c; c++) cli_line_add(line, *c == '\'' ? "'\\''" : (const char[]){*c, '\0'});
    cli_line_add(line, "'");
}

static void add_safe(cli_line *line, const char *word)
{
    if (is_plain(word))
        cli_line_add(line, word);
    else
        add_quoted(line, word);
}

void cli_line_word(cli_line *line, const char *word)
{
    cli_line_add(line, " ");
    add_safe(line, word);
}

/* A value that begins with a dash would be taken for an option. */
void cli_line_option(cli_line *line, const char *name, const char *value)
{
    cli_line_add(line, " --");
    for (const char *c = name; *c; c++) cli_line_add(line, *c == '_' ? "-" : (const char[]){*c, '\0'});
    if (!value) return;
    cli_line_add(line, *value == '-' ? "=" : " ");
    add_safe(line, value);
}
