/* Mutations of a command by whole words: verbs, options and values from the tables of the program. */
#ifndef ALD_TESTS_COMMAND_MUTATOR_H
#define ALD_TESTS_COMMAND_MUTATOR_H

#include "cli.h"
#include "fuzz/command_files.h"
#include "fuzz/fuzzing.h"

#include <stdio.h>
#include <string.h>

enum { most_command_words = 30, longest_word = 100 };

typedef struct command_words {
    char words[most_command_words][longest_word];
    int count;
} command_words;

/* Small numbers in a row, so that one seed gives many choices. */
static unsigned drawn(unsigned *seed, unsigned below)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 8) % below;
}

static const char *any_word(unsigned *seed)
{
    static const char *const words[] = {
        "0",   "1",   "2",         "3",     "-1",      "0.5",       "1e-3",         "1e300", "nan",
        "#1",  "#4",  "y",         "a..b",  "u,v",     "a",         "1:3",          "auto",  "yes",
        "out", "-",   "none",      "m.ald", "out.csv", "out.svg",   "log:1e-3:1:3", "all",   "lda",
        "pls", "10",  "linear",    "knn",   "j.jsonl", "ridge=0,1", "conf",         "mean",  "day",
        "snv", "msc", "detrend:1", "class", "gene",    "NA,-999",   "savgol:3:1:1",
    };
    const unsigned count = sizeof words / sizeof *words, at = drawn(seed, count + n_command_files);
    return at < count ? words[at] : command_files[at - count].name;
}

static const char *any_method(unsigned *seed)
{
    return ald_method_name(ald_method_at((int)drawn(seed, (unsigned)ald_method_count())));
}

static const char *value_for(const cli_option *option, unsigned *seed)
{
    unsigned choices = 0;
    while (option && option->choices && option->choices[choices]) choices++;
    if (choices && drawn(seed, 8)) return option->choices[drawn(seed, choices)];
    if (option && option->type == CLI_METHOD_NAME) return any_method(seed);
    return any_word(seed);
}

/* "--name=value" of the verb or of a method's parameters. */
static void any_option(const char *verb_name, unsigned *seed, char *word)
{
    const cli_verb *verb = cli_verb_find(verb_name);
    int options = 0, parameters = 0;
    while (verb && cli_option_at(verb, options)) options++;
    while (cli_param_at(parameters)) parameters++;
    if (!options || (verb->has_parameters && drawn(seed, 2))) {
        const ald_param *param = cli_param_at((int)drawn(seed, (unsigned)parameters));
        snprintf(word, longest_word, "--%s=%s", param->name, any_word(seed));
        return;
    }
    const cli_option *option = cli_option_at(verb, (int)drawn(seed, (unsigned)options));
    if (cli_option_is_flag(option))
        snprintf(word, longest_word, "--%s", option->name);
    else
        snprintf(word, longest_word, "--%s=%s", option->name, value_for(option, seed));
}

static void take_command(const char *text, size_t size, command_words *command)
{
    command->count = 0;
    while (size && *text != '\n' && command->count < most_command_words - 1) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        snprintf(command->words[command->count++], longest_word, "%.*s", (int)length, text);
        text += end ? length + 1 : length;
        size -= end ? length + 1 : length;
    }
}

static void change_word(command_words *command, unsigned *seed)
{
    int verbs = 0;
    while (cli_verb_at(verbs)) verbs++;
    if (command->count == 0 || drawn(seed, 12) == 0) {
        snprintf(command->words[0], longest_word, "%s", cli_verb_at((int)drawn(seed, (unsigned)verbs))->name);
        command->count += command->count == 0;
        return;
    }
    const unsigned at = drawn(seed, (unsigned)command->count);
    if (at > 0 && drawn(seed, 4) == 0) {
        memcpy(command->words[at], command->words[--command->count], longest_word);
    } else if (drawn(seed, 3) == 0) {
        snprintf(command->words[at ? (int)at : command->count], longest_word, "%s", any_word(seed));
        command->count += at == 0;
    } else {
        any_option(command->words[0], seed, command->words[command->count++]);
    }
}

/* Words, an empty line, and the files that were there. */
static size_t write_command(const command_words *command, uint8_t *bytes, size_t room, const char *files,
                            size_t files_size)
{
    size_t used = 0;
    for (int k = 0; k < command->count; k++) {
        const size_t length = strlen(command->words[k]);
        if (used + length + 2 + files_size > room) return 0;
        memcpy(bytes + used, command->words[k], length);
        used += length;
        bytes[used++] = '\n';
    }
    if (files_size) memcpy(bytes + used, files, files_size);
    return used + files_size;
}

static size_t mutate_command(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static command_words command;
    static char files[1 << 14];
    if (drawn(&seed, 4) == 0) return LLVMFuzzerMutate(bytes, size, room);
    const uint8_t *end = NULL;
    for (size_t k = 0; k + 1 < size && !end; k++)
        if (bytes[k] == '\n' && bytes[k + 1] == '\n') end = bytes + k + 1;
    size_t files_size = end ? size - (size_t)(end - bytes) : 0;
    if (files_size > sizeof files / 2) return LLVMFuzzerMutate(bytes, size, room);
    if (files_size) memcpy(files, end, files_size);
    if (files_size && drawn(&seed, 3) == 0)
        files_size = LLVMFuzzerMutate((uint8_t *)files, files_size, sizeof files);
    take_command((const char *)bytes, end ? (size_t)(end - bytes) : size, &command);
    for (unsigned k = drawn(&seed, 3) + 1; k > 0 && command.count < most_command_words - 1; k--)
        change_word(&command, &seed);
    const size_t written = write_command(&command, bytes, room, files, files_size);
    return written ? written : LLVMFuzzerMutate(bytes, size, room);
}

#endif
