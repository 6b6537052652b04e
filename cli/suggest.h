/* The nearest name to a misspelt one. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

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
