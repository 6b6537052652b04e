/* alidade manual: manual pages as roff, made from the tables. */
#include "cli.h"

#include <ctype.h>

/* Text with what roff would read as its own marked. An empty line begins a paragraph. */
static void print_roff(const char *text)
{
    int line_start = 1;
    for (; *text; text++) {
        if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        line_start = *text == '\n';
        if (line_start && text[1] == '\n') {
            fputs("\n.PP", stdout);
        } else if (*text == '\\') {
            fputs("\\e", stdout);
        } else {
            if (*text == '-') putchar('\\');
            putchar(*text);
        }
    }
}

static void print_title(const char *verb)
{
    fputs(".TH ALIDADE", stdout);
    if (verb) putchar('-');
    for (const char *c = verb ? verb : ""; *c; c++) putchar(toupper((unsigned char)*c));
    printf(" 1 \"\" \"alidade %s\" \"User commands\"\n", ald_version());
}

static void print_option(const cli_option *option)
{
    char help[CLI_HELP_SIZE];
    fputs(".TP\n", stdout);
    if (option->letter) printf("\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", stdout);
    print_roff(option->name);
    fputs("\\fR", stdout);
    if (option->type == CLI_FLAG_FILE)
        printf("[=\\fI%s\\fR]", cli_option_value_name(option));
    else if (option->type != CLI_FLAG)
        printf(" \\fI%s\\fR", cli_option_value_name(option));
    putchar('\n');
    cli_option_help(option, help, sizeof help);
    print_roff(help);
    for (int i = 0; option->choices && option->choices[i]; i++)
        printf("%s%s", i ? ", " : "\n[", option->choices[i]);
    fputs(option->choices ? "]\n" : "\n", stdout);
}

static void print_options(const cli_verb *verb)
{
    static const char *const titles[CLI_GROUPS] = {"OPTIONS", "READING THE DATA", "GENERAL OPTIONS"};
    const cli_option *option;
    for (int group = 0; group < CLI_GROUPS; group++) {
        int printed = 0;
        for (int i = 0; (option = cli_option_at(verb, i)); i++) {
            if ((int)option->group != group) continue;
            if (!printed++) printf(".SH %s\n", titles[group]);
            print_option(option);
        }
    }
}

static void print_params(const ald_method *method)
{
    const ald_param *param;
    char range[300];
    for (int i = 0; (param = ald_method_param(method, i)); i++) {
        if (!cli_param_find(param->name)) continue;
        cli_param_range(param, range, sizeof range);
        fputs(".TP\n\\fB\\-\\-", stdout);
        for (const char *c = param->name; *c; c++)
            fputs(*c == '_' || *c == '-' ? "\\-" : (char[]){*c, '\0'}, stdout);
        fputs("\\fR\n", stdout);
        print_roff(param->help ? param->help : "");
        fputs("\n[", stdout);
        print_roff(range);
        fputs("; default ", stdout);
        print_roff(param->initial);
        fputs("]\n", stdout);
    }
}

static void print_all_params(void)
{
    fputs(".SH PARAMETERS OF THE METHODS\n", stdout);
    for (int i = 0; i < ald_method_count(); i++) {
        const ald_method *method = ald_method_at(i);
        printf(".SS %s\n", ald_method_name(method));
        print_roff(ald_method_summary(method));
        putchar('\n');
        print_params(method);
    }
}

static void print_examples(const char *const *examples)
{
    if (!examples) return;
    fputs(".SH EXAMPLES\n", stdout);
    for (int i = 0; examples[i]; i += 2) {
        fputs(".TP\n", stdout);
        print_roff(examples[i]);
        putchar('\n');
        print_roff(examples[i + 1]);
        putchar('\n');
    }
}

static void print_exit_status(void)
{
    static const char *const codes[] = {
        "0",   "Done.",
        "1",   "Failed; nothing was written.",
        "2",   "Wrong usage.",
        "3",   "Done with a warning, under --strict.",
        "130", "Interrupted by Ctrl-C; nothing was written. Other signals: 128 plus their number.",
    };
    fputs(".SH EXIT STATUS\n", stdout);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i += 2) {
        printf(".TP\n.B %s\n", codes[i]);
        print_roff(codes[i + 1]);
        putchar('\n');
    }
}

static void print_verb(const cli_verb *verb)
{
    print_title(verb->name);
    printf(".SH NAME\nalidade\\-%s \\- ", verb->name);
    print_roff(verb->summary);
    printf("\n.SH SYNOPSIS\n.B alidade %s\n", verb->name);
    print_roff(verb->usage);
    fputs("\n.SH DESCRIPTION\n", stdout);
    print_roff(verb->description);
    putchar('\n');
    print_options(verb);
    if (verb->has_parameters) print_all_params();
    print_exit_status();
    print_examples(verb->examples);
    fputs(".SH SEE ALSO\n.BR alidade (1)\n", stdout);
}

static void print_main(void)
{
    const cli_verb *verb;
    print_title(NULL);
    fputs(".SH NAME\nalidade \\- supervised dimensionality reduction\n.SH SYNOPSIS\n.B alidade\n.I VERB\n"
          "[OPERANDS] [OPTIONS]\n.SH DESCRIPTION\nFinds the few directions of a table that matter for a "
          "target: a response, classes, or labels.\nOperands and options may be mixed; \\- is standard input "
          "or "
          "output; \\-\\- "
          "ends the options.\nResults go to standard output, everything else to standard error.\n.SH VERBS\n",
          stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++) {
        printf(".TP\n.B %s\n", verb->name);
        print_roff(verb->summary);
        printf("; see\n.BR alidade\\-%s (1).\n", verb->name);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, messages have no colour.\n", stdout);
    print_exit_status();
}

static int run(cli_session *session)
{
    const char *name = session->args.operands[0];
    const cli_verb *verb = name ? cli_verb_find(name) : NULL;
    if (verb) {
        print_verb(verb);
    } else if (!name) {
        print_main();
    } else {
        return cli_no_verb(session, name);
    }
    return CLI_DONE;
}

static const char *const examples[] = {
    "alidade manual fit > alidade-fit.1",
    "the manual page of one verb",
    NULL,
};

const cli_verb cli_manual_verb = {
    .name = "manual",
    .bit = CLI_MANUAL,
    .summary = "print a manual page",
    .usage = "[VERB]",
    .operands = {"VERB"},
    .max_operands = 1,
    .description =
        "Prints the manual page of alidade, or of one of its verbs, as roff. make install installs them.",
    .examples = examples,
    .hidden = 1,
    .run = run,
};
