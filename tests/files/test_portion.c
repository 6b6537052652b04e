/* A file in portions, as ranks read it: whatever their number, the rows of all portions are the rows of the
 * file, each once and in order, and every row knows its line. */
#include "cluster/sharing/find_portion.h"
#include "io/reading/stream.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a reading has seen: each row as "line:cell,cell;". */
typedef struct seen {
    char text[20000];
    size_t used;
    int64_t rows;
} seen;

static void note_row(const ald_table *t, int64_t i, seen *s)
{
    s->rows++;
    s->used += (size_t)snprintf(s->text + s->used, sizeof s->text - s->used,
                                "%lld:", (long long)(t->sparse || !t->has_lines ? 0 : ald_table_line(t, i)));
    for (int64_t e = t->sparse ? t->pointers[i] : 0; t->sparse && e < t->pointers[i + 1]; e++)
        s->used += (size_t)snprintf(s->text + s->used, sizeof s->text - s->used, "%lld=%g,",
                                    (long long)t->indices[e], t->values[e]);
    for (int64_t j = 0; !t->sparse && j < t->cols; j++) {
        int64_t level;
        const double cell = t->cells[i * t->cols + j];
        if (ald_cell_is_text(cell, &level))
            s->used += (size_t)snprintf(s->text + s->used, sizeof s->text - s->used, "%s,",
                                        t->columns[j].levels[level]);
        else
            s->used += (size_t)snprintf(s->text + s->used, sizeof s->text - s->used, "%g,", cell);
    }
    s->used += (size_t)snprintf(s->text + s->used, sizeof s->text - s->used, ";");
}

static void read_portion(const char *path, const ald_load_options *options, const ald_portion *portion,
                         seen *s)
{
    ald_context *context = support_context(1, NULL);
    ald_error error;
    ald_run run;
    ald_stream *stream;
    int got = 1;
    support_run(&run, context, &error);
    assert_done(ald_stream_open(&run, path, options, portion, &stream), error);
    while (got) {
        ald_arena memory;
        ald_table table;
        ald_arena_init(&memory, &context->allocator);
        assert_done(ald_stream_next(&run, stream, &memory, &table, &got), error);
        for (int64_t i = 0; got && i < table.rows; i++) note_row(&table, i, s);
        ald_arena_free(&memory);
    }
    ald_stream_close(stream);
    ald_run_end(&run, ALD_OK);
    ald_context_free(context);
}

/* As ranks do it, in pieces of seven bytes. */
static void look(const char *text, int64_t size, int ranks, const ald_record_manner *manner,
                 ald_range_look *looks)
{
    for (int r = 0; r < ranks; r++) {
        const int64_t begin = size * r / ranks, end = size * (r + 1) / ranks;
        ald_range_look_begin(&looks[r]);
        for (int64_t at = begin; at < end; at += 7)
            ald_range_look_at(&looks[r], manner, text + at, end - at < 7 ? end - at : 7, at);
    }
}

static void check_file(const char *path, const char *text, char delimiter, const ald_load_options *options,
                       int64_t rows)
{
    const char comment = options->comment ? *options->comment : '\0';
    const ald_record_manner manner = {delimiter != '\0', delimiter, comment};
    const int64_t size = (int64_t)strlen(text);
    seen *whole = calloc(1, sizeof *whole), *parts = calloc(1, sizeof *parts);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, (size_t)size, file), size);
    fclose(file);
    read_portion(path, options, NULL, whole);
    assert_int_equal(whole->rows, rows);
    for (int ranks = 1; ranks <= 17; ranks++) {
        ald_range_look looks[17];
        look(text, size, ranks, &manner, looks);
        memset(parts, 0, sizeof *parts);
        for (int r = 0; r < ranks; r++) {
            const ald_portion portion = ald_portion_of(looks, r, ranks, size);
            read_portion(path, options, &portion, parts);
        }
        if (strcmp(whole->text, parts->text) != 0)
            fail_msg("%s by %d ranks:\n%s\ninstead of\n%s", path, ranks, parts->text, whole->text);
    }
    free(whole);
    free(parts);
    remove(path);
}

static void texts_with_line_ends(void **state)
{
    static const char text[] =
        "a,\"b\nc\",d\n1,\"x\n\n,\"\"\n\",3\n\n2,plain,4\n3,\"\n\n\n\n\n\n\n\n\n\n\n\n\n\",5\n"
        "4,\"q\"\"\"\"\n\",6\n5,z,7";
    ald_load_options options = {.size = sizeof options};
    (void)state;
    for (int64_t block = 0; block < 60; block += 20) {
        options.block_bytes = block;
        check_file("t.csv", text, ',', &options, 5);
    }
}

static void lines_before_the_table(void **state)
{
    static const char text[] = "made by\na machine\n# note\nx;y\n1;2\n\n# note\n3;4\r\n5;6\n7;8\n9;10\n";
    const ald_load_options options = {.size = sizeof options, .skip = 2, .comment = "#", .delimiter = ";"};
    (void)state;
    check_file("t.csv", text, ';', &options, 5);
}

/* A quote opens a cell only where one can begin; elsewhere, and in a comment, it is a character. */
static void quotes_that_open_nothing(void **state)
{
    const ald_load_options options = {.size = sizeof options, .comment = "#"};
    (void)state;
    check_file("t.csv",
               "size,note\n5\",\"a\nb\"\n# 7\" is \"new\n1, \"c\n\nd\" \n2\" 3\",\"\"\"\n\"\"\"\n6,e\n", ',',
               &options, 4);
}

/* Which cells begin where is known by the delimiter, which nobody gave. */
static void blanks_between_cells(void **state)
{
    ald_load_options options = {.size = sizeof options};
    (void)state;
    for (int64_t block = 0; block < 60; block += 20) {
        options.block_bytes = block;
        check_file("t.csv",
                   "a b c\n1 \"two\nlines\" 3\n4\t\"\n\n\n\n\n\n\"  6\n7 \"8\" 9\n10 x\" 12\n13 y 14\n", ' ',
                   &options, 5);
    }
}

static void no_header_and_a_byte_order_mark(void **state)
{
    const ald_load_options options = {.size = sizeof options, .block_bytes = 10};
    (void)state;
    check_file("t.csv",
               "\xef\xbb\xbf"
               "1,2\n3,4\n5,6\n7,8",
               ',', &options, 4);
    check_file("t.csv",
               "\xef\xbb\xbf"
               "\"a\nname\",b\n1,2\n3,4\n5,6\n7,8",
               ',', &options, 4);
}

static void sparse_rows(void **state)
{
    const ald_load_options options = {.size = sizeof options, .block_bytes = 20};
    (void)state;
    check_file("t.svm",
               "# made\n1 1:2 # it's \"so\n2 2:1 3:4\n1 3:1\n\n2 1:5\n1 1:1 2:2 3:3\n# end\n# of it\n", '\0',
               &options, 5);
}

/* Every item is in one portion, and rank 0 has as many fewer as its other work is worth. */
static void items_are_divided(void **state)
{
    (void)state;
    for (int size = 1; size < 9; size++)
        for (int64_t items = 0; items < 40; items += 3)
            for (int64_t others = 0; others < 30; others += 7) {
                assert_int_equal(ald_portion_begin(items, others, size, 0), 0);
                assert_int_equal(ald_portion_begin(items, others, size, size), items);
                for (int r = 0; r < size; r++)
                    assert_true(ald_portion_begin(items, others, size, r) <=
                                ald_portion_begin(items, others, size, r + 1));
            }
    assert_int_equal(ald_portion_begin(100, 20, 2, 1), 40);
    assert_int_equal(ald_portion_begin(100, 200, 3, 1), 0);
    assert_int_equal(ald_portion_begin(100, 200, 3, 2), 0);
    assert_int_equal(ald_portion_begin(INT64_MAX / 2, 0, 4, 3), INT64_MAX / 2 / 4 * 3 + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_with_line_ends),
        cmocka_unit_test(lines_before_the_table),
        cmocka_unit_test(quotes_that_open_nothing),
        cmocka_unit_test(blanks_between_cells),
        cmocka_unit_test(no_header_and_a_byte_order_mark),
        cmocka_unit_test(sparse_rows),
        cmocka_unit_test(items_are_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
