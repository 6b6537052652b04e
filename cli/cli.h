/* The command line: what all verbs share. It uses the public headers of the library and nothing else of it.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "option_table.h"
#include "progress.h"

#include <alidade/alidade.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

/* Exit codes. An interrupted command ends with 128 + the number of the signal, as shells expect (Ctrl-C:
 * 130). */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_RESERVED = 3, CLI_SIGNAL = 128 };

/* Goes on only when the step was done. */
#define CLI_TRY(step)                                                                                        \
    do {                                                                                                     \
        const int try_code = (step);                                                                         \
        if (try_code != CLI_DONE) return try_code;                                                           \
    } while (0)

#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* What a verb does on several ranks: it is refused, runs on one alone, or shares the rows that it streams. */
enum { CLI_ALONE, CLI_RANKS, CLI_RANKS_STREAM };

/* A verb: one file cmd_NAME.c exports one of these, verbs.c lists them. */
typedef struct cli_verb {
    const char *name;
    unsigned bit;        /* its bit in the shared options' `verbs` */
    const char *summary; /* one line, no full stop */
    const char *usage;   /* what follows the name */
    const char *operands[CLI_MAX_OPERANDS];
    unsigned operand_access[CLI_MAX_OPERANDS]; /* CLI_READS or CLI_WRITES; 0: not a file */
    int min_operands, max_operands;
    int repeats;                 /* the last operand may be given any number of times */
    const char *description;     /* paragraphs, separated by empty lines */
    const cli_option *options;   /* its own; NULL: none */
    int has_parameters;          /* takes the parameters of the method as options */
    int ranks;                   /* CLI_ALONE, ...: what it does on several */
    const char *const *examples; /* pairs of command and what it does; ends with NULL */
    int hidden;                  /* not in the list of the main help */
    int (*run)(struct cli_session *session);
} cli_verb;

enum {
    CLI_FIT = 1 << 0,
    CLI_TRANSFORM = 1 << 1,
    CLI_EVALUATE = 1 << 2,
    CLI_SPLIT = 1 << 3,
    CLI_METHODS = 1 << 4,
    CLI_INSPECT = 1 << 5,
    CLI_PLOT = 1 << 6,
    CLI_GENERATE = 1 << 7,
    CLI_CONVERT = 1 << 8,
    CLI_VERSION = 1 << 9,
    CLI_HELP = 1 << 10,
    CLI_COMPLETION = 1 << 11,
    CLI_MANUAL = 1 << 12,
    CLI_UPDATE = 1 << 13,
    CLI_PREDICT = 1 << 14,
    CLI_COMPARE = 1 << 15,
    CLI_TUNE = 1 << 16,
    CLI_DIMENSION = 1 << 17,
    CLI_OPTIONS = 1 << 18,
    CLI_REPORT = 1 << 19,
    CLI_MERGE = 1 << 20,
    CLI_CALIBRATE = 1 << 21,
    CLI_EXPORT = 1 << 22,
    /* The verbs that read rows and a target afresh and fit. */
    CLI_FRESH = CLI_FIT | CLI_COMPARE | CLI_TUNE | CLI_DIMENSION,
    /* The verbs that read rows as the ones of a model were read, and those that read or write data at all. */
    CLI_LIKE =
        CLI_TRANSFORM | CLI_PREDICT | CLI_EVALUATE | CLI_PLOT | CLI_REPORT | CLI_UPDATE | CLI_CALIBRATE,
    /* The verbs that can take the first components of a model. */
    CLI_FIRST = CLI_TRANSFORM | CLI_PREDICT | CLI_EVALUATE,
    CLI_READ = CLI_FRESH | CLI_LIKE | CLI_SPLIT | CLI_CONVERT,
    CLI_DATA = CLI_READ | CLI_GENERATE,
    CLI_EVERY = (1 << 23) - 1,
};

/* NULL past the end. */
const cli_verb *cli_verb_at(int index);
const cli_verb *cli_verb_find(const char *name);
/* Says that there is no such verb, or method, and which may be meant. */
int cli_no_verb(struct cli_session *session, const char *name);
int cli_no_method(struct cli_session *session, const char *name);

/* The program as one of several ranks (mpirun alidade fit ... --stream). Rank 0 alone speaks; what another
 * rank has to say is kept, and said when it is the one that failed. */
typedef struct cli_ranks {
    ald_ranks *all; /* NULL: the program was started alone */
    int voice;      /* standard error as it was; -1: still in its place */
    int failed;     /* all ranks know that it has failed */
} cli_ranks;

/* One run of the program. */
typedef struct cli_session {
    const cli_verb *verb; /* NULL: not known yet */
    cli_args args;
    ald_context *context;
    ald_device *device; /* of --device; NULL: the processor */
    ald_error error;
    cli_progress progress;
    cli_ranks ranks;
    int quiet, verbose, json, strict;
    const char *json_path;          /* of --json=FILE; NULL: standard output */
    int warnings;                   /* how many came from the library */
    char warning[ALD_MESSAGE_SIZE]; /* the first of them */
    char *wrote;                    /* lines about files that wait to be put in their places; NULL: none */
    char *part;                     /* the file that this rank alone writes (parts.h); NULL: none */
} cli_session;

/* session.c */
int cli_session_open(cli_session *session);
/* Puts all files that the command has written in their places, as one step, and says so. */
int cli_session_place(cli_session *session);
void cli_session_close(cli_session *session);
/* Turns the outcome of a library call into an exit code, after printing the message, if any. */
int cli_check(cli_session *session, ald_status status);
/* The same for calls on rows that come from a file: the message names the file, also where the
 * library did not know it. */
int cli_check_data(cli_session *session, const char *path, ald_status status);
/* The exit code of an interrupted command, or CLI_DONE; to be asked before something is written. */
int cli_stop(cli_session *session);
/* The path for messages: "standard input" for -. */
const char *cli_path_name(const char *path);
/* The same without the folders, for titles. */
const char *cli_base_name(const char *path);

/* run_on_ranks.c */
/* First of all. */
int cli_ranks_join(cli_session *session);
/* Whether the verb, as it is called, can be shared. */
int cli_ranks_check(cli_session *session);
/* The exit code of all ranks for the step that is done, after those which failed have said why. */
int cli_ranks_settle(cli_session *session, int code);
void cli_ranks_leave(cli_session *session);

/* message.c: to standard error, one line. The results are for `return`. */
int cli_usage(cli_session *session, const char *format, ...) CLI_PRINTF(2, 3);
int cli_fail(cli_session *session, const char *format, ...) CLI_PRINTF(2, 3);
int cli_out_of_memory(cli_session *session);
void cli_warn(cli_session *session, const char *text);
/* "" for one, "s" for any other number. */
const char *cli_s(int64_t count);
/* What is being done; nothing under -q. */
void cli_say(cli_session *session, const char *format, ...) CLI_PRINTF(2, 3);
/* "wrote   ...", said once the files are in their places. */
void cli_wrote(cli_session *session, const char *format, ...) CLI_PRINTF(2, 3);
/* The text with its control characters as \\x1b; gives how many characters that are. */
int cli_put_text(FILE *out, const char *text);
/* A text of several lines: as it is to a file, cleaned likewise on a terminal. */
void cli_put_lines(FILE *out, const char *text);
/* How many bytes at this place are something a terminal would obey; 0: none. Also 0 at the end of the text.
 */
int cli_control_length(const char *text);
double cli_seconds(void); /* a clock that only goes forward */

/* load.c: the shared reading options as the library wants them. */
void cli_load_options(const cli_session *session, ald_load_options *options);
/* --missing nipals; and where it is refused. */
int cli_wants_gaps(const cli_session *session);
int cli_no_gaps(cli_session *session);
/* Reads a data file; from now on messages name its rows as the file has them. */
int cli_load_rows(cli_session *session, const char *path, const ald_load_options *options,
                  ald_dataset **dataset);
/* The same as the rows of the model were read. */
int cli_load_like(cli_session *session, const ald_model *model, const char *path, ald_dataset **dataset);
int cli_load_model(cli_session *session, const char *path, ald_model **model);
/* "150 rows", or "40 of 500 rows" where the others were left out. */
const char *cli_rows_read(const ald_dataset *dataset, int64_t rows, char *text, size_t size);
/* Tells what was read. */
void cli_say_read(cli_session *session, const char *path, const ald_dataset *dataset, double seconds);

/* help.c */
void cli_help_main(FILE *out);
void cli_help_verb(FILE *out, const cli_verb *verb, const ald_method *method);
void cli_help_method(FILE *out, const ald_method *method);
/* "integer from 1 to 10", "one of a, b": what a parameter may be. */
void cli_param_range(const ald_param *param, char *text, size_t size);

/* verb constants, one per file */
extern const cli_verb cli_fit_verb, cli_update_verb, cli_calibrate_verb, cli_merge_verb, cli_export_verb,
    cli_transform_verb, cli_predict_verb, cli_evaluate_verb, cli_compare_verb, cli_tune_verb,
    cli_dimension_verb, cli_split_verb, cli_methods_verb, cli_inspect_verb, cli_plot_verb, cli_report_verb,
    cli_generate_verb, cli_convert_verb, cli_version_verb, cli_help_verb_entry, cli_completion_verb,
    cli_manual_verb, cli_options_verb;

/* What `name`, given to a verb, is called here, or NULL: names from R, scikit-learn and the like. - and _ are
 * alike. */
const char *cli_foreign_name(const char *verb, const char *name);

/* Refuses, before any work is done, what would cost a file: an output over an input or over another output,
 * also by another spelling or through links; standard input for two files; an output that cannot be written.
 */
int cli_paths_check(struct cli_session *session);

/* 1 where there are as many rows as in the fit and the columns have the same means, to rounding: figures of
 * such rows are those of training. 0 also where the model does not know. */
int cli_are_training_rows(const ald_model *model, const ald_dataset *dataset);
/* The same of rows that several ranks share, on rank 0. */
int cli_gather_training(cli_session *session, const ald_model *model, const ald_dataset *dataset,
                        int *training);

typedef struct cli_lock {
    const char *path; /* NULL: nothing is locked */
    int file;         /* -1: none */
    struct stat state;
} cli_lock;

/* Waits until no other command changes the file, and keeps others waiting until this program ends. */
int cli_lock_take(struct cli_session *session, const char *path, cli_lock *lock);
/* Fails if the file has changed nevertheless: by a program that does not lock it, or on a file system without
 * locks. Call it before writing the file back. */
int cli_lock_check(struct cli_session *session, const cli_lock *lock);

/* Room for any message of the library as the command line spells it. */
enum { CLI_SPELLED_SIZE = 2 * ALD_MESSAGE_SIZE };

/* The message with its marked names as options of the verb or, where it has none of that name, of fit; what
 * is no option stays as it is. Gives `text`, or NULL for NULL. `verb` may be NULL. */
const char *cli_spell(const struct cli_verb *verb, const char *message, char *text, size_t size);

/* Zero it, set `wanted`, show it every candidate; `best` is NULL when none is near. */
typedef struct cli_suggestion {
    const char *wanted;
    const char *best;
    int distance;
} cli_suggestion;

void cli_suggestion_consider(cli_suggestion *suggestion, const char *candidate);
/* In any case; -, _ and a blank are alike. */
int cli_same_letter(char a, char b);
/* 1 if the names are the same; - and _ are alike. */
int cli_name_equal(const char *a, const char *b);

#endif
