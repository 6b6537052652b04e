/* alidade completion: completion scripts, made from the tables. */
#include "cli.h"

#include <string.h>

static void print_dashed(const char *name)
{
    for (; *name; name++) putchar(*name == '_' ? '-' : *name);
}

static void print_methods(void)
{
    fputs("auto", stdout);
    for (int i = 0; i < ald_method_count(); i++) printf(" %s", ald_method_name(ald_method_at(i)));
}

static void print_choices(const char *const *choices)
{
    for (int i = 0; choices[i]; i++) printf("%s%s", i ? " " : "", choices[i]);
}

/* 1 if a method before number `method` has this choice for the parameter. */
static int choice_before(int method, const char *name, const char *choice)
{
    for (int m = 0; m < method; m++) {
        const ald_param *param = cli_method_param(ald_method_at(m), name);
        for (int i = 0; param && param->type == ALD_PARAM_CHOICE && param->choices[i]; i++)
            if (strcmp(param->choices[i], choice) == 0) return 1;
    }
    return 0;
}

/* The words a parameter may be, for all methods that have it: the script does not know which one is meant. */
static void print_param_values(const char *name)
{
    const char *between = "";
    for (int m = 0; m < ald_method_count(); m++) {
        const ald_param *param = cli_method_param(ald_method_at(m), name);
        if (param && param->type == ALD_PARAM_BOOL) {
            fputs("0 1", stdout);
            return;
        }
        for (int i = 0; param && param->type == ALD_PARAM_CHOICE && param->choices[i]; i++) {
            if (choice_before(m, name, param->choices[i])) continue;
            printf("%s%s", between, param->choices[i]);
            between = " ";
        }
    }
}

/* The words an operand may be, where it is not a file. */
static void print_operand_words(const cli_verb *verb)
{
    const cli_verb *other;
    const char *name;
    if (verb->bit == CLI_METHODS) print_methods();
    if (verb->bit == CLI_COMPLETION) fputs("bash zsh", stdout);
    for (int i = 0; verb->bit == CLI_GENERATE && ald_generator_at(i, &name, NULL); i++) printf("%s ", name);
    for (int i = 0; verb->bit & (CLI_HELP | CLI_MANUAL) && (other = cli_verb_at(i)); i++)
        printf("%s ", other->name);
}

static void bash_verb(const cli_verb *verb)
{
    const cli_option *option;
    const ald_param *param;
    printf("    %s)\n        options=\"", verb->name);
    for (int i = 0; (option = cli_option_at(verb, i)); i++) {
        printf("--%s ", option->name);
        if (option->letter) printf("-%c ", option->letter);
    }
    for (int i = 0; verb->has_parameters && (param = cli_param_at(i)); i++) {
        fputs("--", stdout);
        print_dashed(param->name);
        putchar(' ');
    }
    fputs("\"\n        operands=\"", stdout);
    print_operand_words(verb);
    fputs("\"\n        ;;\n", stdout);
}

static int has_values(const cli_option *option)
{
    return option->type == CLI_CHOICE || option->type == CLI_METHOD_NAME;
}

/* What may follow an option is the same for every verb that has it; it is written for the first one. */
static int verb_before_has(const cli_verb *verb, const char *name)
{
    const cli_option *option;
    for (int i = 0; cli_verb_at(i) != verb; i++)
        if ((option = cli_option_find(cli_verb_at(i), name)) && has_values(option)) return 1;
    return 0;
}

static void bash_values(const cli_verb *verb)
{
    const cli_option *option;
    for (int i = 0; (option = cli_option_at(verb, i)); i++) {
        if (!has_values(option) || verb_before_has(verb, option->name)) continue;
        printf("    --%s) values=\"", option->name);
        option->choices ? print_choices(option->choices) : print_methods();
        fputs("\" ;;\n", stdout);
    }
}

static void bash_parameters(void)
{
    const ald_param *param;
    for (int i = 0; (param = cli_param_at(i)); i++) {
        if (param->type != ALD_PARAM_CHOICE && param->type != ALD_PARAM_BOOL) continue;
        fputs("    --", stdout);
        print_dashed(param->name);
        fputs(") values=\"", stdout);
        print_param_values(param->name);
        fputs("\" ;;\n", stdout);
    }
}

static void print_bash(void)
{
    const cli_verb *verb;
    fputs("# bash completion for alidade; made by: alidade completion bash\n_alidade()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local options= operands= values= verb= i\n    COMPREPLY=()\n"
          "    for ((i = 1; i < COMP_CWORD; i++)); do\n        case ${COMP_WORDS[i]} in\n        --threads) "
          "i=$((i + 1)) ;;\n"
          "        -*) ;;\n        *) verb=${COMP_WORDS[i]}; break ;;\n        esac\n    done\n"
          "    if [ -z \"$verb\" ]; then\n        COMPREPLY=($(compgen -W \"",
          stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++)
        if (!verb->hidden) printf("%s ", verb->name);
    fputs("\" -- \"$current\"))\n        return\n    fi\n    case $before in\n", stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++) bash_values(verb);
    bash_parameters();
    fputs("    esac\n    if [ -n \"$values\" ]; then\n        COMPREPLY=($(compgen -W \"$values\" -- "
          "\"$current\"))\n"
          "        return\n    fi\n    case $verb in\n",
          stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++) bash_verb(verb);
    fputs(
        "    esac\n    case $current in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
        "    *) COMPREPLY=($(compgen -W \"$operands\" -- \"$current\") $(compgen -f -- \"$current\")) ;;\n   "
        " esac\n}\n"
        "complete -o filenames -F _alidade alidade\n",
        stdout);
}

/* Inside single quotes, with what _arguments reads as its own marked by a backslash. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'') continue;
        if (strchr("[]:\\", *text)) putchar('\\');
        putchar(*text);
    }
}

static void zsh_action(const cli_option *option)
{
    if (option->type == CLI_PATH) fputs("_files", stdout);
    if (option->type != CLI_CHOICE && option->type != CLI_METHOD_NAME) return;
    putchar('(');
    option->choices ? print_choices(option->choices) : print_methods();
    putchar(')');
}

static void zsh_option(const cli_option *option)
{
    int values = option->values ? option->values : 1;
    if (cli_option_is_flag(option)) values = 0;
    printf("            '--%s%s[", option->name, option->type == CLI_FLAG_FILE ? "=-" : "");
    print_zsh_text(option->help);
    putchar(']');
    if (option->type == CLI_FLAG_FILE) printf("::%s:_files", option->value_name);
    for (int i = 0; i < values; i++) {
        printf(":%s:", option->value_name);
        zsh_action(option);
    }
    fputs("' \\\n", stdout);
}

static void zsh_param(const ald_param *param)
{
    fputs("            '--", stdout);
    print_dashed(param->name);
    putchar('[');
    print_zsh_text(param->help ? param->help : "");
    fputs("]:value:", stdout);
    if (param->type == ALD_PARAM_CHOICE || param->type == ALD_PARAM_BOOL) {
        putchar('(');
        print_param_values(param->name);
        putchar(')');
    }
    fputs("' \\\n", stdout);
}

static void zsh_verb(const cli_verb *verb)
{
    const cli_option *option;
    const ald_param *param;
    printf("    %s)\n        _arguments \\\n", verb->name);
    for (int i = 0; (option = cli_option_at(verb, i)); i++) zsh_option(option);
    for (int i = 0; verb->has_parameters && (param = cli_param_at(i)); i++) zsh_param(param);
    if (verb->bit & (CLI_METHODS | CLI_GENERATE | CLI_HELP | CLI_MANUAL | CLI_COMPLETION)) {
        fputs("            '1:name:(", stdout);
        print_operand_words(verb);
        fputs(")'\n        ;;\n", stdout);
    } else {
        fputs("            '*:file:_files'\n        ;;\n", stdout);
    }
}

static void print_zsh(void)
{
    const cli_verb *verb;
    fputs("#compdef alidade\n# made by: alidade completion zsh\n_alidade()\n{\n    local -a verbs\n    "
          "verbs=(\n",
          stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++) {
        if (verb->hidden) continue;
        printf("        '%s:", verb->name);
        print_zsh_text(verb->summary);
        fputs("'\n", stdout);
    }
    fputs("    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        return\n    fi\n"
          "    shift words\n    (( CURRENT-- ))\n    case $words[1] in\n",
          stdout);
    for (int i = 0; (verb = cli_verb_at(i)); i++) zsh_verb(verb);
    fputs("    esac\n}\n_alidade \"$@\"\n", stdout);
}

static int run(cli_session *session)
{
    const char *shell = session->args.operands[0];
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else
        return cli_usage(session, "there is no completion for %s, only for bash and zsh", shell);
    return CLI_DONE;
}

static const char *const examples[] = {
    "source <(alidade completion bash)",
    "completion in this shell",
    NULL,
};

const cli_verb cli_completion_verb = {
    .name = "completion",
    .bit = CLI_COMPLETION,
    .summary = "print a completion script for bash or zsh",
    .usage = "bash|zsh",
    .operands = {"SHELL"},
    .min_operands = 1,
    .max_operands = 1,
    .description = "Prints a script that lets the shell complete verbs, options, methods and values. make "
                   "install installs it.",
    .examples = examples,
    .hidden = 1,
    .run = run,
};
