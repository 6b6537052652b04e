/* The pending list as bytes: texts that end with '\0', the first letter says of what kind. */
#ifndef ALD_FILES_PENDING_LIST_H
#define ALD_FILES_PENDING_LIST_H

#include "base/core/run.h"
#include "base/core/text.h"

typedef struct ald_pending_list {
    const char *token;  /* the same in all lists of one command */
    const char *master; /* path of the master; NULL: this is it */
    const char *bytes;  /* all texts, one after the other */
    size_t size;
} ald_pending_list;

enum {
    ALD_LIST_TOKEN = 't',
    ALD_LIST_MASTER = 'm',
    ALD_LIST_OTHER = 'o',
    ALD_LIST_FROM = 'f',
    ALD_LIST_TO = 'n',
};

/* Begins a list, adds a text, and ends it with its sum. */
ald_status ald_list_begin(ald_run *run, ald_text *list, const char *token);
ald_status ald_list_add(ald_run *run, ald_text *list, int kind, const char *text);
ald_status ald_list_end(ald_run *run, ald_text *list);

/* 1 if the bytes are a whole list whose names are harmless; it points into them. */
int ald_list_parse(const char *bytes, size_t size, ald_pending_list *list);
/* The next text of this kind behind `from` (NULL: from the start), or NULL. */
const char *ald_list_next(const ald_pending_list *list, int kind, const char *from);

#endif
