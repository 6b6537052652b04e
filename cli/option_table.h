/* Options: tables that say what a verb takes, and what was given. Parsing, help, manual pages and completion
 * are all made from these tables. */
#ifndef CLI_OPTION_TABLE_H
#define CLI_OPTION_TABLE_H

#include <alidade/method.h>
#include <stddef.h>

struct cli_session;
struct cli_verb;

/* CLI_FLAG_FILE is a flag that may name a file behind an = sign: --json or --json=FILE. */
typedef enum cli_type {
    CLI_FLAG,
    CLI_FLAG_FILE,
    CLI_TEXT,
    CLI_PATH,
    CLI_INT,
    CLI_REAL,
    CLI_CHOICE,
    CLI_METHOD_NAME,
} cli_type;

/* What a command does with a file that it names. A journal is both. */
enum { CLI_READS = 1, CLI_WRITES = 2 };

/* The heading an option stands under in the help. */
typedef enum cli_group { CLI_GROUP_OWN, CLI_GROUP_READING, CLI_GROUP_GENERAL, CLI_GROUPS } cli_group;

/* One option. Tables end with a name of NULL. */
typedef struct cli_option {
    const char *name; /* long, with dashes */
    char letter;      /* 0: none */
    cli_type type;
    cli_group group;
    unsigned verbs; /* shared table: the verbs that have it */
    int required;
    int many;               /* may be given several times */
    int values;             /* how many, where that is not 1 (not 0 for flags) */
    unsigned access;        /* PATH and FLAG_FILE: CLI_READS, CLI_WRITES or both */
    int in_place;           /* the file may be the first operand, which it replaces */
    const char *value_name; /* for the help, e.g. FILE */
    const char *const *choices;
    double min, max;       /* INT and REAL; both 0: any */
    const char *parameter; /* the method parameter it is another name for */
    const char *alias;     /* another name that is taken as well; NULL: none */
    const char *help;
    unsigned methods; /* of ald_capability: the methods that have it stand behind the help; 0: none do */
} cli_option;

/* The options that several verbs share, each described here once. */
extern const cli_option cli_shared_options[];

/* The options of a verb one after the other, own ones first; NULL past the end. */
const cli_option *cli_option_at(const struct cli_verb *verb, int index);
const cli_option *cli_option_find(const struct cli_verb *verb, const char *name);
/* What is written behind its name: the value's name. */
const char *cli_option_value_name(const cli_option *option);
/* "--json[=FILE]", "--components R": the name and what goes with it. */
void cli_option_label(const cli_option *option, char *text, size_t size);
/* The help with all that belongs to it. */
void cli_option_help(const cli_option *option, char *text, size_t size);
int cli_option_is_flag(const cli_option *option);

/* A parameter of that name of any method (- and _ are alike) that is given as one, or NULL: what is kept for
 * updates is an option of the verbs that write a model. */
const ald_param *cli_param_find(const char *name);
/* The parameter of that name of one method, or NULL. */
const ald_param *cli_method_param(const ald_method *method, const char *name);
int cli_method_has(const ald_method *method, const char *parameter);
/* Every such parameter of the registry once, in order of appearance; NULL past the end. */
const ald_param *cli_param_at(int index);

enum { CLI_HELP_SIZE = 1000 };
enum { CLI_MAX_VALUES = 2, CLI_MAX_OPERANDS = 2, CLI_NAME_SIZE = 64 };

/* One option or method parameter as given. Exactly one of `option` and `param` is set. */
typedef struct cli_given {
    const cli_option *option;
    const ald_param *param;
    const char *values[CLI_MAX_VALUES];
    char spelled[CLI_NAME_SIZE]; /* as it was written, with its dashes */
    int count;                   /* how often a flag was given */
    int line;                    /* of the config file; 0: the command line */
} cli_given;

/* All that was given. Texts belong to argv and to `config_text`. */
typedef struct cli_args {
    cli_given *given;
    int n_given;
    const char **operands; /* n_operands of them */
    int n_operands;
    char *config_text;
    const char *config_path;
} cli_args;

/* Parses what stands behind the verb, reads the config file and checks every value. An exit code; errors are
 * printed.
 */
int cli_parse(struct cli_session *session, int argc, char **argv);
void cli_args_free(cli_args *args);

/* An option or parameter by name. When there is neither, prints the nearest one; `where` goes before the
 * message. */
int cli_named_find(struct cli_session *session, const char *where, const char *name, cli_given *found);
/* Adds it. Twice is an error unless it is a flag; what the command line said wins over the config file. */
int cli_given_add(struct cli_session *session, const char *where, const cli_given *given);
/* The name under which two spellings are the same thing. */
const char *cli_given_key(const cli_given *given);
/* Whether it sets a parameter with a trait (of ald_param_trait). */
int cli_given_is(const cli_given *given, unsigned trait);
/* Checks the values against the option's type. */
int cli_given_check(struct cli_session *session, const cli_given *given);

/* What was given, by the option's name. */
const cli_given *cli_given_find(const cli_args *args, const char *name);
int cli_flag(const cli_args *args, const char *name); /* how often */
const char *cli_text(const cli_args *args, const char *name, const char *otherwise);
int64_t cli_int(const cli_args *args, const char *name, int64_t otherwise);
double cli_real(const cli_args *args, const char *name, double otherwise);

/* A number that fills the text, 1 or 0. */
int cli_read_int(const char *text, int64_t *value);
int cli_read_real(const char *text, double *value);

/* config.c: adds what the file says. */
int cli_config_read(struct cli_session *session, const char *path);

#endif
