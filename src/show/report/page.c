/* The page is put together from a template with marks; each mark is replaced by title, style, script, hash
 * or data. */
#include "show/report/page.h"

#include "base/core/text.h"
#include "base/numbers/sha256.h"
#include "show/report/page_data.h"

#include <string.h>

typedef struct assembly {
    ald_run *run;
    const char *title;
    const ald_text *data;
    ald_text *html;
} assembly;

static ald_status put_title(const assembly *a)
{
    static const struct {
        char sign;
        const char *entity;
    } entities[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    const char *text = ald_utf8_copy(&a->run->scratch, a->title, strlen(a->title));
    if (!text) return ald_out_of_memory(a->run, (int64_t)strlen(a->title), 2, 1);
    for (; *text; text++) {
        const char *entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            if (entities[i].sign == *text) entity = entities[i].entity;
        ALD_TRY(ald_text_add(a->run, a->html, entity ? entity : text, entity ? strlen(entity) : 1));
    }
    return ALD_OK;
}

static ald_status put_css(const assembly *a)
{
    return ald_text_add(a->run, a->html, ald_page_css, ald_page_css_size);
}

static ald_status put_script(const assembly *a)
{
    return ald_text_add(a->run, a->html, ald_page_script, ald_page_script_size);
}

static ald_status put_data(const assembly *a)
{
    return ald_text_add(a->run, a->html, a->data->data, a->data->length);
}

static ald_status put_hash(const assembly *a, const char *text, size_t size)
{
    ald_sha256 hash;
    unsigned char digest[ALD_SHA256_SIZE];
    ald_sha256_begin(&hash);
    ald_sha256_add(&hash, text, size);
    ald_sha256_end(&hash, digest);
    return ald_base64_add(a->run, a->html, digest, sizeof digest);
}

static ald_status put_style_hash(const assembly *a)
{
    return put_hash(a, ald_page_css, ald_page_css_size);
}

static ald_status put_script_hash(const assembly *a)
{
    return put_hash(a, ald_page_script, ald_page_script_size);
}

static const struct {
    const char *mark;
    ald_status (*put)(const assembly *a);
} marks[] = {
    {"@TITLE@", put_title},           {"@CSS@", put_css},
    {"@SCRIPT@", put_script},         {"@DATA@", put_data},
    {"@STYLE_HASH@", put_style_hash}, {"@SCRIPT_HASH@", put_script_hash},
};

/* The number of the mark that the text begins with, or -1. */
static int mark_at(const char *text)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strncmp(text, marks[i].mark, strlen(marks[i].mark)) == 0) return (int)i;
    return -1;
}

ald_status ald_page_assemble(ald_run *run, const char *title, const ald_text *data, ald_text *html)
{
    const assembly a = {.run = run, .title = title, .data = data, .html = html};
    const char *next = ald_page_html;
    while (*next) {
        const int mark = *next == '@' ? mark_at(next) : -1;
        const size_t plain = mark >= 0 ? 0 : 1 + strcspn(next + 1, "@");
        ALD_TRY(mark >= 0 ? marks[mark].put(&a) : ald_text_add(run, html, next, plain));
        next += mark >= 0 ? strlen(marks[mark].mark) : plain;
    }
    return ALD_OK;
}
