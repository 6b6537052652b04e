/* Where the records of a delimited text end, without parsing it: what the scanner of csv knows of quotes and
 * comments, one byte after the other. A quote opens a cell only where one can begin; elsewhere it is a
 * character, as in a size of 5". */
#ifndef ALD_READING_RECORD_ENDS_H
#define ALD_READING_RECORD_ENDS_H

#include <stddef.h>

typedef struct ald_record_manner {
    int delimited;  /* 0: every line is a record (svmlight) */
    char delimiter; /* a blank stands for runs of blanks and tabs */
    char comment;   /* '\0': none */
} ald_record_manner;

typedef enum ald_record_state {
    ALD_AT_RECORD, /* only blanks of it were seen */
    ALD_AT_CELL,   /* the same of a later cell */
    ALD_IN_CELL,
    ALD_IN_QUOTES,
    ALD_AT_QUOTE, /* one within quotes: it closes them, or another follows */
    ALD_IN_COMMENT,
    ALD_RECORD_STATES,
} ald_record_state;

/* After one byte more. A line end leaves ALD_IN_QUOTES, or ALD_AT_RECORD: then it ends the record. */
ald_record_state ald_record_step(const ald_record_manner *manner, ald_record_state state, char byte);
/* The size of the byte order mark that a file with these first bytes begins with: 3, or 0. */
size_t ald_mark_size(const char *bytes, size_t size);

#endif
