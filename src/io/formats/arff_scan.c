#include "io/formats/arff_scan.h"

#include <string.h>
#include <strings.h>

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

ald_status ald_arff_fail(const ald_arff_scanner *scanner, const char *message)
{
    return ald_fail_at(scanner->run->error, ALD_ERROR_FORMAT, scanner->line_number,
                       (int64_t)(scanner->at - scanner->line) + 1, "%s", message);
}

int ald_arff_at_end(ald_arff_scanner *scanner)
{
    while (is_blank(*scanner->at)) scanner->at++;
    return *scanner->at == '\0' || *scanner->at == '%';
}

int ald_arff_accept(ald_arff_scanner *scanner, char character)
{
    if (ald_arff_at_end(scanner) || *scanner->at != character) return 0;
    scanner->at++;
    return 1;
}

static char unescaped(char c)
{
    static const char *const pairs = "n\nt\tr\r";
    for (const char *pair = pairs; *pair; pair += 2)
        if (*pair == c) return pair[1];
    return c;
}

/* The scanner stands on the opening quote. */
static ald_status scan_quoted(ald_arff_scanner *scanner, ald_arff_word *word)
{
    const char quote = *scanner->at;
    char *to = scanner->at + 1, *from = to;
    word->text = to;
    word->quoted = 1;
    for (; *from != quote; from++) {
        if (*from == '\\' && from[1] != '\0') {
            *to++ = unescaped(*++from);
            continue;
        }
        if (*from == '\0') return ald_arff_fail(scanner, "a quoted text that does not end on its line");
        *to++ = *from;
    }
    word->length = (size_t)(to - word->text);
    scanner->at = from + 1;
    return ALD_OK;
}

ald_status ald_arff_scan(ald_arff_scanner *scanner, const char *stops, ald_arff_word *word)
{
    const int nothing = ald_arff_at_end(scanner);
    if (!nothing && (*scanner->at == '\'' || *scanner->at == '"')) return scan_quoted(scanner, word);
    word->text = scanner->at;
    word->quoted = 0;
    while (*scanner->at != '\0' && *scanner->at != '%' && !strchr(stops, *scanner->at)) scanner->at++;
    word->length = (size_t)(scanner->at - word->text);
    while (word->length > 0 && is_blank(word->text[word->length - 1])) word->length--;
    return ALD_OK;
}

int ald_arff_word_is(const ald_arff_word *word, const char *name)
{
    return !word->quoted && strlen(name) == word->length && strncasecmp(name, word->text, word->length) == 0;
}
