#include "candidates.h"

#include "grid.h"
#include "suggest.h"
#include "typed_settings.h"

#include <stdlib.h>
#include <string.h>

static const char spaces[] = " \t";

/* pca with a linear predictor is principal component regression. */
static const struct {
    const char *name, *method;
} other_names[] = {{"pcr", "pca"}};

static const char *method_behind(const char *name)
{
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcmp(other_names[i].name, name) == 0) return other_names[i].method;
    return name;
}

/* The option that names the methods: tune's is --method. */
static const char *naming_option(const cli_session *session)
{
    return session->verb->bit == CLI_TUNE ? "method" : "methods";
}

static int unknown_method(cli_session *session, const char *name)
{
    const char *option = naming_option(session);
    const char *near = ald_method_suggest(name);
    if (near) return cli_usage(session, "--%s: there is no method %s; did you mean %s?", option, name, near);
    return cli_usage(session, "--%s: there is no method %s; alidade methods lists them", option, name);
}

/* A copy of the value of an option, to be cut up. */
static int copy_text(cli_session *session, const char *text, char **copy)
{
    const size_t size = strlen(text) + 1;
    *copy = malloc(size);
    if (!*copy) return cli_out_of_memory(session);
    memcpy(*copy, text, size);
    return CLI_DONE;
}

/* "1:4", "7", "10:50:10": adds to the list, which has room. */
static int read_range(const char *text, int64_t *list, int *count, int room)
{
    char copy[64], *save = NULL, *word;
    int64_t bounds[3] = {0, 0, 1};
    int n = 0;
    if (strlen(text) >= sizeof copy) return 0;
    strcpy(copy, text);
    for (word = strtok_r(copy, ":", &save); word; word = strtok_r(NULL, ":", &save))
        if (n == 3 || !cli_read_int(word, &bounds[n++])) return 0;
    if (n == 1) bounds[1] = bounds[0];
    if (n == 0 || bounds[0] < 1 || bounds[1] < bounds[0] || bounds[2] < 1) return 0;
    for (int64_t r = bounds[0]; r <= bounds[1]; r += bounds[2]) {
        if (*count == room || r > INT32_MAX) return 0;
        list[(*count)++] = r;
    }
    return 1;
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int read_dims(cli_session *session, const char *given, cli_variants *v)
{
    enum { most = 1000 };
    char *text = NULL, *save = NULL;
    int bad = 0, kept = 0;
    v->dims = malloc(most * sizeof *v->dims);
    if (!v->dims) return cli_out_of_memory(session);
    CLI_TRY(copy_text(session, given, &text));
    for (char *word = strtok_r(text, ",", &save); word; word = strtok_r(NULL, ",", &save))
        bad |= !read_range(word, v->dims, &v->n_dims, most);
    free(text);
    if (bad || v->n_dims == 0)
        return cli_usage(session, "--components %s: numbers of components are written 3, 1:4 or 1,2,5, each from 1",
                         given);
    qsort(v->dims, (size_t)v->n_dims, sizeof *v->dims, compare_ints);
    for (int i = 0; i < v->n_dims; i++)
        if (i == 0 || v->dims[i] != v->dims[kept - 1]) v->dims[kept++] = v->dims[i];
    v->n_dims = kept;
    return CLI_DONE;
}

static int is_parameter(const cli_given *given)
{
    return given->param || given->option->parameter;
}

/* Parameters given as options are for every method that has them. */
static int set_given(cli_session *session, ald_settings *settings)
{
    const ald_method *method = ald_settings_method(settings);
    for (int i = 0; i < session->args.n_given; i++) {
        const cli_given *given = &session->args.given[i];
        if (!is_parameter(given) || !cli_method_has(method, cli_given_key(given))) continue;
        CLI_TRY(cli_check(session, ald_settings_set_text(settings, cli_given_key(given),
                                                         given->values[0] ? given->values[0] : "1", &session->error)));
    }
    return CLI_DONE;
}

static int add_words(cli_session *session, char **words, const char *name, const char *value)
{
    const size_t before = *words ? strlen(*words) : 0, size = before + strlen(name) + strlen(value) + 3;
    char *grown = realloc(*words, size);
    if (!grown) return cli_out_of_memory(session);
    *words = grown;
    snprintf(grown + before, size - before, "%s%s%s%s", before ? " " : "", name, *name ? "=" : "", value);
    return CLI_DONE;
}

/* Room for one more pair of settings and words, both NULL. */
static int add_variant(cli_session *session, cli_variants *v)
{
    ald_settings **settings = realloc(v->settings, (size_t)(v->count + 1) * sizeof *settings);
    if (settings) v->settings = settings;
    char **words = realloc(v->words, (size_t)(v->count + 1) * sizeof *words);
    if (words) v->words = words;
    if (!settings || !words) return cli_out_of_memory(session);
    v->settings[v->count] = NULL;
    v->words[v->count++] = NULL;
    return add_words(session, &v->words[v->count - 1], "", "");
}

static int new_variant(cli_session *session, const char *method, cli_variants *v)
{
    CLI_TRY(add_variant(session, v));
    CLI_TRY(
        cli_check(session, ald_settings_new(session->context, method, &v->settings[v->count - 1], &session->error)));
    return set_given(session, v->settings[v->count - 1]);
}

static int set_word(cli_session *session, cli_variants *v, int at, const char *name, const char *value)
{
    CLI_TRY(cli_check(session, ald_settings_set_text(v->settings[at], name, value, &session->error)));
    return add_words(session, &v->words[at], name, value);
}

/* One more, like number i. */
static int copy_variant(cli_session *session, cli_variants *v, int i)
{
    CLI_TRY(add_variant(session, v));
    CLI_TRY(add_words(session, &v->words[v->count - 1], "", v->words[i]));
    return cli_check(session,
                     ald_settings_copy(session->context, v->settings[i], &v->settings[v->count - 1], &session->error));
}

/* Parameters that have no meaning here, or another name. */
static int check_meant(cli_session *session, const char *where, const char *name)
{
    if (cli_param_find(name) == cli_param_find("n_components"))
        return cli_usage(
            session, "%s: the numbers of components are given by --components, or components= after a method", where);
    if (session->verb->bit != CLI_TUNE && cli_param_find(name) == cli_param_find("keep_statistics"))
        return cli_usage(session, "%s: no model is written here, so keep_statistics has no effect", where);
    return CLI_DONE;
}

/* "sdpp n_neighbors=10 dims=1:3": what stands behind the name. */
static int read_words(cli_session *session, char *text, cli_variants *v)
{
    char *save = NULL;
    for (char *word = strtok_r(text, spaces, &save); word; word = strtok_r(NULL, spaces, &save)) {
        char *equals = strchr(word, '=');
        if (!equals || equals == word)
            return cli_usage(session, "--%s: after the name of a method come words name=value, not '%s'",
                             naming_option(session), word);
        *equals = '\0';
        CLI_TRY(check_meant(session, session->verb->bit == CLI_TUNE ? "--method" : "--methods", word));
        if (strcmp(word, "components") == 0 || strcmp(word, "dims") == 0)
            CLI_TRY(read_dims(session, equals + 1, v));
        else
            CLI_TRY(set_word(session, v, 0, word, equals + 1));
    }
    return CLI_DONE;
}

/* Every variant with every value of the grid; of a parameter that its words do not set already. */
static int expand(cli_session *session, const char *name, const char *values, cli_variants *v)
{
    const int before = v->count;
    char *text = NULL, *save = NULL;
    int code = cli_grid_list(session, name, values, &text), used = 0;
    for (char *value = code == CLI_DONE ? strtok_r(text, ",", &save) : NULL; value && code == CLI_DONE;
         value = strtok_r(NULL, ",", &save), used++)
        for (int i = 0; i < before && code == CLI_DONE; i++) {
            code = copy_variant(session, v, i);
            if (code == CLI_DONE) code = set_word(session, v, v->count - 1, name, value);
        }
    free(text);
    if (code != CLI_DONE) return code;
    if (!used) return cli_usage(session, "--grid %s= has no values; write --grid %s=0,1,10", name, name);
    for (int i = 0; i < before; i++) {
        ald_settings_free(v->settings[i]);
        free(v->words[i]);
    }
    v->count -= before;
    memmove(v->settings, v->settings + before, (size_t)v->count * sizeof *v->settings);
    memmove(v->words, v->words + before, (size_t)v->count * sizeof *v->words);
    return CLI_DONE;
}

/* "ridge=0,1,10" to name and values. */
static int cut_grid(cli_session *session, const char *text, char *name, size_t size, const char **values)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= size)
        return cli_usage(session, "--grid %s: write the name of a parameter and values, such as ridge=0,1,10", text);
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    *values = equals + 1;
    return CLI_DONE;
}

/* A word of its own fixes the parameter: "ridge=" at its beginning or behind a blank. */
static int is_set_by_words(const char *words, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && at[length] == '=') return 1;
    return 0;
}

/* Number `i` of the grids that apply to the method of v: those given, or tune's own where none is. NULL past the end.
 */
static int grid_at(cli_session *session, const cli_variants *v, int *at, char *name, const char **values)
{
    const ald_method *method = ald_settings_method(v->settings[0]);
    for (; *at < session->args.n_given; ++*at) {
        const cli_given *given = &session->args.given[*at];
        if (!given->option || strcmp(given->option->name, "grid") != 0) continue;
        CLI_TRY(cut_grid(session, given->values[0], name, CLI_NAME_SIZE, values));
        if (cli_method_has(method, name) && !is_set_by_words(v->words[0], name)) return CLI_DONE;
    }
    *values = NULL;
    const int own = session->verb->bit == CLI_TUNE && !cli_given_find(&session->args, "grid");
    for (; own; ++*at) {
        const int number = *at - session->args.n_given;
        const char *usual = cli_grid_usual(number, values);
        if (!usual) return CLI_DONE;
        snprintf(name, CLI_NAME_SIZE, "%s", usual);
        if (cli_grid_suits(number, v->settings[0])) return CLI_DONE;
    }
    return CLI_DONE;
}

static int expand_grids(cli_session *session, cli_variants *v)
{
    char name[CLI_NAME_SIZE];
    const char *values = NULL;
    for (int at = 0;; at++) {
        CLI_TRY(grid_at(session, v, &at, name, &values));
        if (!values) return CLI_DONE;
        CLI_TRY(expand(session, name, values, v));
    }
}

/* --random: as many settings, each with a value of every grid drawn. */
static int draw_grids(cli_session *session, cli_variants *v)
{
    const int64_t wanted = cli_int(&session->args, "random", 0);
    const uint64_t seed = (uint64_t)cli_int(&session->args, "random_state", 0);
    char name[CLI_NAME_SIZE], value[CLI_NAME_SIZE];
    const char *values = NULL;
    uint64_t drawn = 0;
    for (int64_t k = 1; k < wanted; k++) CLI_TRY(copy_variant(session, v, 0));
    for (int at = 0;; at++) {
        CLI_TRY(grid_at(session, v, &at, name, &values));
        if (!values) return drawn ? CLI_DONE : cli_usage(session, "--random draws values of a grid: give --grid too");
        const int whole = cli_grid_is_whole(ald_settings_method(v->settings[0]), name);
        for (int k = 0; k < v->count; k++) {
            CLI_TRY(cli_grid_draw(session, name, values, whole, ald_uniform(seed, drawn++), value, sizeof value));
            CLI_TRY(set_word(session, v, k, name, value));
        }
    }
}

static int add_candidate(cli_session *session, cli_candidates *c, ald_candidate_kind kind, const char *label)
{
    ald_candidate *list = realloc(c->list, (size_t)(c->count + 1) * sizeof *list);
    if (list) c->list = list;
    cli_variants *variants = realloc(c->variants, (size_t)(c->count + 1) * sizeof *variants);
    if (variants) c->variants = variants;
    if (!list || !variants) return cli_out_of_memory(session);
    c->list[c->count] = (ald_candidate){.kind = kind, .label = label};
    memset(&c->variants[c->count++], 0, sizeof *c->variants);
    return CLI_DONE;
}

/* pca is called pcr where its predictor is linear regression. */
static const char *label_of(const cli_session *session, const char *method, ald_target_kind kind)
{
    const char *predictor = cli_text(&session->args, "predictor", "none");
    for (int i = 0; i < session->args.n_given; i++)
        if (strcmp(cli_given_key(&session->args.given[i]), "predictor") == 0)
            predictor = session->args.given[i].values[0];
    const int linear = strcmp(predictor, "linear") == 0 || strcmp(predictor, "none") == 0;
    return strcmp(method, "pca") == 0 && kind == ALD_TARGET_REAL && linear ? "pcr" : method;
}

static int add_method(cli_session *session, cli_candidates *c, char *text, ald_target_kind kind)
{
    text += strspn(text, spaces);
    const size_t length = strcspn(text, spaces);
    char *rest = text + length + (text[length] != '\0');
    text[length] = '\0';
    const ald_method *method = ald_method_find(method_behind(text));
    if (!method) return unknown_method(session, text);
    CLI_TRY(add_candidate(session, c, ALD_CANDIDATE_METHOD, label_of(session, ald_method_name(method), kind)));
    cli_variants *v = &c->variants[c->count - 1];
    CLI_TRY(new_variant(session, ald_method_name(method), v));
    CLI_TRY(read_words(session, rest, v));
    if (!v->dims)
        CLI_TRY(read_dims(session, cli_text(&session->args, "components", c->usual_dims ? c->usual_dims : "1:4"), v));
    return cli_given_find(&session->args, "random") ? draw_grids(session, v) : expand_grids(session, v);
}

static int names_method(const cli_candidates *c, const char *method)
{
    for (int i = 0; i < c->count; i++)
        if (c->list[i].kind == ALD_CANDIDATE_METHOD &&
            strcmp(ald_method_name(ald_settings_method(c->variants[i].settings[0])), method) == 0)
            return 1;
    return 0;
}

/* In front of the others: no X, all of X, the directions of X alone. */
static int add_baselines(cli_session *session, cli_candidates *c, ald_target_kind kind, int with_pca)
{
    const char *constant = kind == ALD_TARGET_CLASSES ? "majority" : kind == ALD_TARGET_REAL ? "mean" : "label shares";
    CLI_TRY(add_candidate(session, c, ALD_CANDIDATE_CONSTANT, constant));
    CLI_TRY(new_variant(session, "pca", &c->variants[c->count - 1]));
    CLI_TRY(add_candidate(session, c, ALD_CANDIDATE_FEATURES, "all features"));
    CLI_TRY(new_variant(session, "pca", &c->variants[c->count - 1]));
    if (!with_pca) return CLI_DONE;
    CLI_TRY(add_candidate(session, c, ALD_CANDIDATE_METHOD, label_of(session, "pca", kind)));
    cli_variants *v = &c->variants[c->count - 1];
    CLI_TRY(new_variant(session, "pca", v));
    return read_dims(session, cli_text(&session->args, "components", "1:4"), v);
}

/* A parameter that none of the methods has is a slip. */
static int check_used(cli_session *session, const cli_candidates *c, const char *spelled, const char *name)
{
    char others[300];
    for (int i = 0; i < c->count; i++)
        if (cli_method_has(ald_settings_method(c->variants[i].settings[0]), name)) return CLI_DONE;
    cli_methods_with(name, others, sizeof others);
    if (!*others) return cli_usage(session, "%s: no method has a parameter %s", spelled, name);
    return cli_usage(session, "%s: none of these methods has the parameter %s; it belongs to %s", spelled, name,
                     others);
}

static int check_all_used(cli_session *session, const cli_candidates *c)
{
    char name[CLI_NAME_SIZE];
    const char *values = NULL;
    for (int i = 0; i < session->args.n_given; i++) {
        const cli_given *given = &session->args.given[i];
        if (is_parameter(given)) {
            CLI_TRY(check_meant(session, given->spelled, cli_given_key(given)));
            CLI_TRY(check_used(session, c, given->spelled, cli_given_key(given)));
        }
        if (!given->option || strcmp(given->option->name, "grid") != 0) continue;
        CLI_TRY(cut_grid(session, given->values[0], name, sizeof name, &values));
        CLI_TRY(check_meant(session, "--grid", name));
        CLI_TRY(check_used(session, c, "--grid", name));
    }
    return CLI_DONE;
}

/* The views, once nothing moves any more. */
static void connect(cli_candidates *c)
{
    for (int i = 0; i < c->count; i++) {
        c->list[i].settings = (const ald_settings *const *)c->variants[i].settings;
        c->list[i].n_settings = c->variants[i].count;
        c->list[i].dims = c->variants[i].dims;
        c->list[i].n_dims = c->variants[i].n_dims;
    }
}

int cli_candidates_expand(cli_session *session, cli_candidates *c, int number, const char *name, const char *values)
{
    const int code = expand(session, name, values, &c->variants[number]);
    connect(c);
    return code;
}

/* Baselines last in reading, first in the list. */
static int put_baselines_first(cli_session *session, cli_candidates *c, ald_target_kind kind)
{
    cli_candidates methods = *c;
    *c = (cli_candidates){.text = methods.text, .usual_dims = methods.usual_dims};
    int code = add_baselines(session, c, kind, !names_method(&methods, "pca"));
    for (int i = 0; i < methods.count; i++) {
        if (code == CLI_DONE) code = add_candidate(session, c, methods.list[i].kind, methods.list[i].label);
        if (code == CLI_DONE) {
            c->variants[c->count - 1] = methods.variants[i];
            memset(&methods.variants[i], 0, sizeof *methods.variants);
        }
    }
    methods.text = NULL;
    cli_candidates_free(&methods);
    return code;
}

int cli_candidates_read(cli_session *session, ald_target_kind kind, int baselines, cli_candidates *c)
{
    char *save = NULL;
    CLI_TRY(copy_text(session, cli_text(&session->args, naming_option(session), ""), &c->text));
    for (char *word = strtok_r(c->text, ",", &save); word; word = strtok_r(NULL, ",", &save))
        CLI_TRY(add_method(session, c, word, kind));
    if (c->count == 0)
        return cli_usage(session, "--%s names no method; alidade methods lists them", naming_option(session));
    CLI_TRY(check_all_used(session, c));
    if (baselines) CLI_TRY(put_baselines_first(session, c, kind));
    connect(c);
    return CLI_DONE;
}

void cli_candidates_free(cli_candidates *c)
{
    for (int i = 0; i < c->count; i++) {
        cli_variants *v = &c->variants[i];
        for (int k = 0; k < v->count; k++) {
            ald_settings_free(v->settings[k]);
            free(v->words[k]);
        }
        free(v->settings);
        free(v->words);
        free(v->dims);
    }
    free(c->variants);
    free(c->list);
    free(c->text);
    memset(c, 0, sizeof *c);
}

/* A comma too many is a name that was lost. */
static int check_commas(cli_session *session, const char *text)
{
    const size_t length = strlen(text);
    if (length && text[0] != ',' && text[length - 1] != ',' && !strstr(text, ",,")) return CLI_DONE;
    return cli_usage(session, "--%s '%s': a name is missing next to a comma", naming_option(session), text);
}

int cli_candidates_prefer_real(cli_session *session, int *prefer_real)
{
    char *text = NULL, *save = NULL;
    CLI_TRY(check_commas(session, cli_text(&session->args, naming_option(session), "")));
    int code = copy_text(session, cli_text(&session->args, naming_option(session), ""), &text);
    *prefer_real = 1;
    for (char *word = code == CLI_DONE ? strtok_r(text, ",", &save) : NULL; word && code == CLI_DONE;
         word = strtok_r(NULL, ",", &save)) {
        word += strspn(word, spaces);
        word[strcspn(word, spaces)] = '\0';
        const ald_method *method = ald_method_find(method_behind(word));
        const unsigned can = method ? ald_method_capabilities(method) : 0;
        if (!method) code = unknown_method(session, word);
        if (!(can & ALD_CAN_REAL) || (can & ALD_CAN_CLASSES)) *prefer_real = 0;
    }
    free(text);
    return code;
}
