/* SVG as text: numbers with two decimals, texts escaped, widths of texts estimated. */
#include "show/canvas/svg.h"

#include "base/core/text.h"
#include "show/canvas/scale.h"

#include <stdio.h>
#include <string.h>

static ald_status add(ald_run *run, ald_svg *svg, const char *text)
{
    return ald_text_add(run, &svg->text, text, strlen(text));
}

ald_status ald_svg_number(ald_run *run, ald_svg *svg, double value)
{
    char text[ALD_TICK_SIZE];
    ald_fixed_text(value, 1, text);
    const size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, ".0") == 0) text[length - 2] = '\0';
    return add(run, svg, text);
}

/* What XML 1.0 has no place for: control characters, and U+FFFE and U+FFFF. Blanks of all kinds become one.
 */
static const char *replacement(const char *sequence, int length)
{
    static const struct {
        char character;
        const char *entity;
    } entities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\t', " "}, {'\n', " "}, {'\r', " "},
    };
    if (length == 3 && (memcmp(sequence, "\xef\xbf\xbe", 3) == 0 || memcmp(sequence, "\xef\xbf\xbf", 3) == 0))
        return "\xef\xbf\xbd";
    if (length != 1) return NULL;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i].character == *sequence) return entities[i].entity;
    return (unsigned char)*sequence < 0x20 ? "\xef\xbf\xbd" : NULL;
}

ald_status ald_svg_escaped(ald_run *run, ald_svg *svg, const char *text)
{
    const char *valid = ald_utf8_copy(&run->scratch, text, strlen(text));
    if (!valid) return ald_out_of_memory(run, (int64_t)strlen(text), 1, 1);
    for (size_t left = strlen(valid); left > 0;) {
        const int length = ald_utf8_sequence(valid, left);
        const char *instead = replacement(valid, length);
        ALD_TRY(instead ? add(run, svg, instead) : ald_text_add(run, &svg->text, valid, (size_t)length));
        valid += length;
        left -= (size_t)length;
    }
    return ALD_OK;
}

/* <name a="1" b="2" ... style/> */
static ald_status add_element(ald_run *run, ald_svg *svg, const char *name, const char *const *attributes,
                              const double *values, const char *style)
{
    ALD_TRY(ald_text_print(run, &svg->text, "<%s", name));
    for (int i = 0; attributes[i]; i++) {
        ALD_TRY(ald_text_print(run, &svg->text, " %s=\"", attributes[i]));
        ALD_TRY(ald_svg_number(run, svg, values[i]));
        ALD_TRY(add(run, svg, "\""));
    }
    return ald_text_print(run, &svg->text, "%s%s/>\n", *style ? " " : "", style);
}

ald_status ald_svg_begin(ald_run *run, ald_svg *svg, int width, int height, const char *title)
{
    ald_text_init(&svg->text, &run->scratch);
    svg->width = width;
    svg->height = height;
    ALD_TRY(ald_text_print(
        run, &svg->text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
        "role=\"img\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>",
        width, height, width, height));
    ALD_TRY(ald_svg_escaped(run, svg, title));
    ALD_TRY(add(run, svg, "</title>\n"));
    return ald_svg_rect(run, svg, 0, 0, width, height, "fill=\"#fff\"");
}

ald_status ald_svg_end(ald_run *run, ald_svg *svg)
{
    return add(run, svg, "</svg>\n");
}

ald_status ald_svg_keep(ald_run *run, const ald_svg *svg, char **kept)
{
    const ald_allocator *allocator = run->call.allocator;
    *kept = allocator->resize(allocator->user, NULL, svg->text.length + 1);
    if (!*kept) return ald_out_of_memory(run, (int64_t)svg->text.length + 1, 1, 1);
    memcpy(*kept, svg->text.data, svg->text.length + 1);
    return ALD_OK;
}

ald_status ald_svg_group(ald_run *run, ald_svg *svg, const char *style)
{
    return ald_text_print(run, &svg->text, "<g %s>\n", style);
}

ald_status ald_svg_group_end(ald_run *run, ald_svg *svg)
{
    return add(run, svg, "</g>\n");
}

ald_status ald_svg_line(ald_run *run, ald_svg *svg, double x1, double y1, double x2, double y2,
                        const char *style)
{
    static const char *const attributes[] = {"x1", "y1", "x2", "y2", NULL};
    const double values[] = {x1, y1, x2, y2};
    return add_element(run, svg, "line", attributes, values, style);
}

ald_status ald_svg_rect(ald_run *run, ald_svg *svg, double x, double y, double width, double height,
                        const char *style)
{
    static const char *const attributes[] = {"x", "y", "width", "height", NULL};
    const double values[] = {x, y, width, height};
    return add_element(run, svg, "rect", attributes, values, style);
}

ald_status ald_svg_text(ald_run *run, ald_svg *svg, double x, double y, int anchor, const char *style,
                        const char *text)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    ALD_TRY(ald_text_print(run, &svg->text, "<text text-anchor=\"%s\"", anchors[anchor & ~ALD_UPWARDS]));
    ALD_TRY(ald_text_print(run, &svg->text, "%s%s", *style ? " " : "", style));
    ALD_TRY(add(run, svg, " transform=\"translate("));
    ALD_TRY(ald_svg_number(run, svg, x));
    ALD_TRY(add(run, svg, " "));
    ALD_TRY(ald_svg_number(run, svg, y));
    ALD_TRY(add(run, svg, anchor & ALD_UPWARDS ? ") rotate(-90)\">" : ")\">"));
    ALD_TRY(ald_svg_escaped(run, svg, text));
    return add(run, svg, "</text>\n");
}

/* Part of the font size that a letter takes in the wider of the usual sans-serif fonts. */
static double letter_width(const char *letter, int length)
{
    if (length > 2) return 1.0;
    if (length == 2) return 0.65;
    if (strchr("ijlI|.,:;'!()[] ", *letter)) return 0.4;
    if (strchr("mwMW@%", *letter)) return 0.98;
    return *letter >= 'A' && *letter <= 'Z' ? 0.72 : 0.62;
}

/* Bytes of the text that take no more than `width`; `used` receives what they take. */
static size_t fitting(const char *text, double font_size, double width, double *used)
{
    const size_t length = strlen(text);
    size_t at = 0;
    *used = 0.0;
    while (at < length) {
        const int sequence = ald_utf8_sequence(text + at, length - at);
        const double more = font_size * letter_width(text + at, sequence ? sequence : 2);
        if (*used + more > width) break;
        *used += more;
        at += sequence ? (size_t)sequence : 1;
    }
    return at;
}

double ald_svg_text_width(const char *text, double font_size)
{
    double used;
    fitting(text, font_size, 1e9, &used);
    return used;
}

size_t ald_svg_fitting(const char *text, double font_size, double width)
{
    double used;
    return fitting(text, font_size, width, &used);
}

/* As much of the end of `text` as fits. */
static const char *fitting_end(const char *text, double font_size, double width)
{
    size_t at = strlen(text);
    while (at > 0) {
        size_t before = at - 1;
        while (before > 0 && ((unsigned char)text[before] & 0xc0) == 0x80) before--;
        if (ald_svg_text_width(text + before, font_size) > width) break;
        at = before;
    }
    return text + at;
}

ald_status ald_svg_shorten(ald_run *run, const char *text, double font_size, double width,
                           const char **shortened)
{
    *shortened = text;
    if (ald_svg_text_width(text, font_size) <= width) return ALD_OK;
    const double half = 0.5 * (width - font_size);
    const char *tail = fitting_end(text, font_size, half);
    const double rest = width - font_size - ald_svg_text_width(tail, font_size);
    ald_text cut;
    ald_text_init(&cut, &run->scratch);
    ALD_TRY(ald_text_add(run, &cut, text, ald_svg_fitting(text, font_size, rest)));
    ALD_TRY(ald_text_add(run, &cut, "\xe2\x80\xa6", 3));
    ALD_TRY(ald_text_add(run, &cut, tail, strlen(tail)));
    *shortened = cut.data;
    return ALD_OK;
}
