/* The data of a page as JSON text (page/FORMAT.md). The writer remembers the first failure and does nothing
 * from then on, so that sections are lists of plain calls; ald_page_status tells it. Commas are put where
 * they belong. No text can end the element it stands in: < > & and the two line ends of Unicode are escaped.
 */
#ifndef ALD_REPORT_PAGE_DATA_H
#define ALD_REPORT_PAGE_DATA_H

#include "base/core/text.h"

typedef struct ald_page {
    ald_run *run;
    ald_text text;
    ald_status status;
} ald_page;

/* The text lives in the scratch of the run. */
void ald_page_begin(ald_page *page, ald_run *run);
ald_status ald_page_status(const ald_page *page);

/* The key of the next value. */
void ald_page_key(ald_page *page, const char *key);
/* '{' or '[', and '}' or ']'. */
void ald_page_open(ald_page *page, char bracket);
void ald_page_close(ald_page *page, char bracket);
/* The first with its key; or null instead, and 0 back, where there is nothing to tell. */
void ald_page_open_of(ald_page *page, const char *key, char bracket);
int ald_page_open_if(ald_page *page, const char *key, int known, char bracket);

void ald_page_null(ald_page *page);
void ald_page_bool(ald_page *page, int value);
void ald_page_whole(ald_page *page, int64_t value);
/* The shortest text that reads back as the same number; null where it is not finite. */
void ald_page_real(ald_page *page, double value);
/* Bytes that are no UTF-8 are taken as Latin-1. NULL: null. */
void ald_page_string(ald_page *page, const char *text);
/* The same with its key. */
void ald_page_text_of(ald_page *page, const char *key, const char *text);
void ald_page_real_of(ald_page *page, const char *key, double value);
void ald_page_whole_of(ald_page *page, const char *key, int64_t value);
void ald_page_null_of(ald_page *page, const char *key);

/* Columns of numbers, value i at values[i * step], or of the row rows[i] where `rows` is not NULL. */
typedef struct ald_page_column {
    const double *values;
    int64_t count, step;
    const int64_t *rows;
} ald_page_column;
void ald_page_f64(ald_page *page, ald_page_column column);
void ald_page_f32(ald_page *page, ald_page_column column); /* without values: null */
/* Whole numbers; what is not finite is the largest of the type. */
void ald_page_u16(ald_page *page, ald_page_column column);
void ald_page_u8_list(ald_page *page, const unsigned char *values, int64_t count);
/* From 0 to 2^32 - 1. */
void ald_page_u32_list(ald_page *page, const int64_t *values, int64_t count);

/* Bytes as text: base64 (RFC 4648) with padding. */

ald_status ald_base64_add(ald_run *run, ald_text *text, const void *bytes, size_t size);

#endif
