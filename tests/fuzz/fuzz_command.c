/* The fuzz target for the whole command line: the first lines of the input are its words, up to an empty one;
 * then come files, each behind a line "== NAME". The files of command_files.h are there too where a word
 * names them. It runs in a folder in memory, which no name can leave, and is interrupted after a while as by
 * Ctrl-C: a command that does not notice is a failure. */
#include "fuzz/command_files.h"
#include "fuzz/command_line.h"
#include "fuzz/command_mutator.h"
#include "fuzz/memory_file.h"

#include <ctype.h>
#include <sys/time.h>

enum { most_arguments = 40, milliseconds = 300 };

static void on_time(int number)
{
    (void)number;
    caught_signal = SIGINT;
}

static void set_time(long thousandths)
{
    const struct itimerval wait = {.it_value = {.tv_usec = thousandths * 1000}};
    signal(SIGVTALRM, on_time);
    setitimer(ITIMER_VIRTUAL, &wait, NULL);
}

/* Words cannot name anything outside. */
static void confine(char *text, size_t size)
{
    for (size_t k = 0; k < size; k++)
        if (text[k] == '/') text[k] = '_';
}

static void put_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (!file) return;
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static void clear_folder(void)
{
    DIR *folder = opendir(".");
    if (!folder) abort();
    for (const struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(folder), entry->d_name, 0);
    closedir(folder);
}

/* The files of the input, whose names are cut to something harmless. */
static void put_files(char *text)
{
    for (char *at = strstr(text, "\n== "); at;) {
        char name[32];
        size_t length = 0;
        at += 4;
        for (; *at && *at != '\n'; at++)
            if (length < sizeof name - 1 && (isalnum((unsigned char)*at) || strchr(".-", *at)))
                name[length++] = *at;
        name[length] = '\0';
        char *start = *at ? at + 1 : at, *end = strstr(start, "\n== ");
        const size_t size = end ? (size_t)(end - start) + 1 : strlen(start);
        if (length && name[0] != '.') put_file(name, start, size);
        at = end;
    }
}

static void put_named(const char *word)
{
    for (int k = 0; k < n_command_files; k++)
        if (strstr(word, command_files[k].name))
            put_file(command_files[k].name, command_files[k].text, strlen(command_files[k].text));
}

/* The words that the text begins with, behind the verb a limit on memory; gives their number. */
static int take_words(char *text, char **words)
{
    static char program[] = "alidade", limit[] = "--max-memory=40M", threads[] = "--threads=1";
    int count = 0;
    words[count++] = program;
    for (char *line = text; *line && *line != '\n' && count < most_arguments - 3;) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        confine(line, strlen(line));
        put_named(line);
        words[count++] = line;
        const cli_verb *verb = count == 2 ? cli_verb_find(line) : NULL;
        if (verb && cli_option_find(verb, "max-memory")) words[count++] = limit;
        if (verb && cli_option_find(verb, "threads") && strlen(line) % 2) words[count++] = threads;
        line = end ? end + 1 : line + strlen(line);
    }
    words[count] = NULL;
    return count;
}

static void run_command(char *text)
{
    char *words[most_arguments + 1];
    char *files = strstr(text, "\n\n");
    if (files) {
        confine(files, strlen(files)); /* a config file names files too */
        put_files(files);
    }
    const int count = take_words(text, words);
    caught_signal = 0;
    set_time(milliseconds);
    const int code = command_line_main(count, words);
    set_time(0);
    clearerr(stdout);
    if (code < 0 || (code > CLI_RESERVED && code != CLI_SIGNAL + SIGINT)) abort();
}

static void enter_folder(void)
{
    static int inside;
    if (!inside && chdir(memory_folder_make()) != 0) abort();
    inside = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, bytes, size);
    text[size] = '\0';
    enter_folder();
    if (strlen(text) == size) run_command(text);
    clear_folder();
    free(text);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    return mutate_command(bytes, size, room, seed);
}
