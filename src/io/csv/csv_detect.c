#include "io/csv/csv_detect.h"

#include "base/numbers/number.h"
#include "io/csv/csv_scan.h"

#include <string.h>

/* Semicolon before comma: where both are regular, the commas are decimal ones. Blanks last: texts have them
 * too. */
static const char candidates[] = {'\t', ';', ',', '|', ALD_CSV_BLANKS};
enum { n_candidates = sizeof candidates, blanks = n_candidates - 1, most_lines = 100 };

typedef struct {
    int64_t counts[n_candidates]; /* of delimiters; between tokens for blanks */
    int64_t tokens, numbers;      /* between blanks */
} profile;

typedef struct {
    profile lines[most_lines];
    int n;
} sample_profile;

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static int is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static int count_delimiter(profile *line, char c)
{
    for (int k = 0; k < blanks; k++) {
        if (c != candidates[k]) continue;
        line->counts[k]++;
        return 1;
    }
    return 0;
}

/* A quote opens only where a cell can begin. Gives the end of the line, or NULL when a quote stays open. */
static const char *count_delimiters(const char *at, const char *end, profile *line)
{
    int cell_begins = 1;
    for (; at < end && !is_line_end(*at); at++) {
        if (*at == '"' && cell_begins) {
            do at++;
            while (at < end && *at != '"');
            if (at == end) return NULL;
        } else if (!count_delimiter(line, *at) && *at != ' ') {
            cell_begins = 0;
            continue;
        }
        cell_begins = 1;
    }
    return at;
}

static void count_tokens(const char *at, const char *end, profile *line)
{
    while (at < end) {
        while (at < end && is_blank(*at)) at++;
        const char *start = at;
        if (at < end && *at == '"') do
                at++;
            while (at < end && *at != '"');
        while (at < end && !is_blank(*at)) at++;
        if (at == start) break;
        line->tokens++;
        line->numbers += ald_text_is_numeric(start, (size_t)(at - start));
    }
    line->counts[blanks] = line->tokens ? line->tokens - 1 : 0;
}

/* A last line that the sample cuts off counts only when there is no other. */
static void profile_sample(const char *at, const char *end, int whole, char comment, sample_profile *sample)
{
    sample->n = 0;
    while (at < end && sample->n < most_lines) {
        profile *line = &sample->lines[sample->n];
        memset(line, 0, sizeof *line);
        const char *start = at;
        at = count_delimiters(at, end, line);
        const int cut = !at || (at == end && !whole);
        if (!at) at = end;
        count_tokens(start, at, line);
        if (line->tokens && !(comment && *start == comment) && !(cut && sample->n)) sample->n++;
        while (at < end && is_line_end(*at)) at++;
    }
}

static int is_regular(const sample_profile *sample, int candidate)
{
    const int64_t first = sample->lines[0].counts[candidate];
    int64_t numbers = 0;
    for (int i = 0; i < sample->n; i++) {
        if (sample->lines[i].counts[candidate] != first) return 0;
        numbers += sample->lines[i].numbers;
    }
    return first > 0 && (candidate != blanks || numbers > 0);
}

/* Blanks only where most of the words are numbers: texts of several words are no table. */
static int64_t lines_with(const sample_profile *sample, int candidate)
{
    int64_t lines = 0, tokens = 0, numbers = 0;
    for (int i = 0; i < sample->n; i++) {
        lines += sample->lines[i].counts[candidate] > 0;
        tokens += sample->lines[i].tokens;
        numbers += sample->lines[i].numbers;
    }
    return candidate != blanks || numbers * 2 > tokens ? lines : 0;
}

char ald_csv_detect_delimiter(const char *sample, size_t size, int whole, char comment)
{
    sample_profile found;
    profile_sample(sample, sample + size, whole, comment, &found);
    if (found.n == 0) return ',';
    for (int k = 0; k < n_candidates; k++)
        if (is_regular(&found, k)) return candidates[k];
    int64_t most = 0;
    char best = ',';
    for (int k = 0; k < n_candidates; k++) {
        const int64_t lines = lines_with(&found, k);
        if (lines <= most) continue;
        most = lines;
        best = candidates[k];
    }
    return best;
}
