/* Names are cut in the middle or at the start, whichever keeps them different first; then numbered. */
#include "show/canvas/short_names.h"

#include "base/core/text.h"

#include <stdio.h>
#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";

typedef struct cutting {
    ald_run *run;
    const char *const *names;
    int n;
    double font_size, width;
    const char **shortened;
} cutting;

static int is_wide(const cutting *c, const char *text)
{
    return ald_svg_text_width(text, c->font_size) > c->width;
}

/* Whether another name looks like number i now. */
static int is_taken(const cutting *c, int i)
{
    for (int k = 0; k < c->n; k++)
        if (k != i && c->shortened[k] && strcmp(c->shortened[k], c->shortened[i]) == 0 &&
            strcmp(c->names[k], c->names[i]) != 0)
            return 1;
    return 0;
}

/* The start of a letter at or before byte `at`. */
static size_t letter_start(const char *text, size_t at)
{
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
    return at;
}

static ald_status join(const cutting *c, const char *head, size_t length, const char *tail,
                       const char **joined)
{
    ald_text text;
    ald_text_init(&text, &c->run->scratch);
    ALD_TRY(ald_text_add(c->run, &text, head, length));
    ALD_TRY(ald_text_add(c->run, &text, ellipsis, 3));
    ALD_TRY(ald_text_add(c->run, &text, tail, strlen(tail)));
    *joined = text.data;
    return ALD_OK;
}

/* The middle goes. */
static ald_status cut_middle(const cutting *c, int i)
{
    return ald_svg_shorten(c->run, c->names[i], c->font_size, c->width, &c->shortened[i]);
}

/* From byte `from` on. */
static ald_status cut_before(const cutting *c, int i, size_t from)
{
    const char *rest;
    ALD_TRY(join(c, "", 0, c->names[i] + from, &rest));
    return ald_svg_shorten(c->run, rest, c->font_size, c->width, &c->shortened[i]);
}

/* Bytes that name i shares with some other name, to the start of a letter. */
static size_t shared_start(const cutting *c, int i)
{
    size_t most = 0;
    for (int k = 0; k < c->n; k++) {
        size_t same = 0;
        while (c->names[i][same] && c->names[i][same] == c->names[k][same]) same++;
        if (c->names[i][same] != c->names[k][same] && same > most) most = same;
    }
    return letter_start(c->names[i], most);
}

/* From a little before where it begins to differ. */
static ald_status cut_start(const cutting *c, int i)
{
    const size_t from = shared_start(c, i);
    return cut_before(c, i, letter_start(c->names[i], from > 2 ? from - 2 : 0));
}

/* Bytes that name i shares with all names that begin like it, to the start of a letter. */
static size_t shared_by_all(const cutting *c, int i)
{
    enum { alike = 4 }; /* letters, from which on names begin alike */
    size_t least = strlen(c->names[i]);
    for (int k = 0; k < c->n; k++) {
        size_t same = 0;
        while (c->names[i][same] && c->names[i][same] == c->names[k][same]) same++;
        if (same >= alike && same < least) least = same;
    }
    return letter_start(c->names[i], least);
}

/* What all begin with leaves, and of the rest the middle: "\u2026thema\u2026tion B". */
static ald_status cut_twice(const cutting *c, int i)
{
    return cut_before(c, i, shared_by_all(c, i));
}

static ald_status cut_to_number(const cutting *c, int i)
{
    char number[24];
    snprintf(number, sizeof number, "%d", i + 1);
    const double room = c->width - c->font_size - ald_svg_text_width(number, c->font_size);
    return join(c, c->names[i], ald_svg_fitting(c->names[i], c->font_size, room), number, &c->shortened[i]);
}

ald_status ald_shorten_names(ald_run *run, const char *const *names, int n, double font_size, double width,
                             const char **shortened)
{
    static ald_status (*const ways[])(const cutting *, int) = {
        cut_middle,
        cut_start,
        cut_twice,
        cut_to_number,
    };
    const cutting c = {run, names, n, font_size, width, shortened};
    for (int i = 0; i < n; i++) ALD_TRY(cut_middle(&c, i));
    for (size_t way = 1; way < sizeof ways / sizeof *ways; way++) {
        unsigned char *again;
        ALD_TRY(ald_scratch(run, n > 0 ? n : 1, 1, 1, &again));
        for (int i = 0; i < n; i++) again[i] = is_wide(&c, names[i]) && is_taken(&c, i);
        for (int i = 0; i < n; i++)
            if (again[i]) ALD_TRY(ways[way](&c, i));
    }
    return ALD_OK;
}

ald_status ald_placer_begin(ald_run *run, int64_t room, const ald_frame *frame, ald_placer *placer)
{
    *placer = (ald_placer){.room = room, .inside = {frame->left, frame->top, frame->width, frame->height}};
    return ald_scratch(run, room > 0 ? room : 1, 1, sizeof *placer->taken, &placer->taken);
}

static int overlap(ald_box a, ald_box b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

int ald_placer_take(ald_placer *placer, ald_box box)
{
    const ald_box in = placer->inside;
    if (placer->count == placer->room || box.x < in.x || box.y < in.y ||
        box.x + box.width > in.x + in.width || box.y + box.height > in.y + in.height)
        return 0;
    for (int64_t i = 0; i < placer->count; i++)
        if (overlap(box, placer->taken[i])) return 0;
    placer->taken[placer->count++] = box;
    return 1;
}

int ald_box_holds(ald_box box, double x, double y)
{
    return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
