/* The parts of an xlsx file around its sheets: which sheet is read, its texts, and which cells are dates. */
#ifndef ALD_FORMATS_WORKBOOK_H
#define ALD_FORMATS_WORKBOOK_H

#include "io/formats/xml.h"

typedef struct ald_workbook {
    ald_zip zip;
    char *sheet_part, *sheet_name;
    int64_t n_sheets;
    int since_1904; /* days are counted from 1904-01-01 */
    char **texts;   /* that cells share */
    int64_t n_texts, text_capacity;
    unsigned char *is_date; /* of each style of cells */
    int64_t n_styles, style_capacity;
} ald_workbook;

/* `sheet`: its name, or its number from 1; NULL: the first that is not hidden. Everything is in scratch. */
ald_status ald_workbook_read(ald_run *run, const void *bytes, size_t size, const char *sheet,
                             ald_workbook *book);
/* Characters that XML cannot have, such as a carriage return, stand in texts as _xHHHH_, by their number:
 * puts them back in place. Halves of a pair of UTF-16 stay as they are. */
void ald_workbook_unescape(char *text);

#endif
