#include "printing/printing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In quotes where that is needed. */
static void put_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"') putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* Empty where there is no number. */
static void put_real(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.15g", value);
    else
        putc(',', out);
}

static void put_row(FILE *out, const cli_comparison *c, const ald_comparison_row *row)
{
    static const char *const names[] = {
        [ALD_MARK_NONE] = "",
        [ALD_MARK_BEST] = "best",
        [ALD_MARK_EQUAL] = "equal",
    };
    put_text(out, cli_comparison_method(c, row));
    putc(',', out);
    put_text(out, row->label);
    if (row->dims > 0)
        fprintf(out, ",%lld,", (long long)row->dims);
    else
        fputs(",,", out);
    put_text(out, cli_comparison_words(c, row));
    fprintf(out, ",%s", ald_comparison_metric(c->result, NULL));
    put_real(out, row->mean);
    put_real(out, row->std);
    fprintf(out, ",%lld,%s", (long long)row->count, names[row->mark]);
    put_real(out, row->p_value);
    put_real(out, row->difference);
    put_real(out, row->difference_low);
    put_real(out, row->difference_high);
    put_real(out, row->fit_seconds);
    put_real(out, row->apply_seconds);
    putc(',', out);
    put_text(out, row->reason ? row->reason : "");
    putc('\n', out);
}

int cli_comparison_csv(cli_session *session, const cli_comparison *c, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return cli_out_of_memory(session);
    fputs("method,label,dims,settings,metric,mean,std,count,mark,p_value,difference,difference_low,"
          "difference_high,fit_seconds,transform_seconds,error\n",
          out);
    for (int i = 0; i < ald_comparison_count(c->result); i++)
        put_row(out, c, ald_comparison_at(c->result, i));
    const int failed = fclose(out) != 0;
    int code = failed ? cli_out_of_memory(session) : cli_stop(session);
    if (code == CLI_DONE)
        code = cli_check(session, ald_write_text(session->context, path, text, size, &session->error));
    if (code == CLI_DONE && strcmp(path, "-") != 0) cli_wrote(session, "%s", path);
    free(text);
    return code;
}
