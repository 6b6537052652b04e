/* XML as a row of tokens, from a part of a zip archive. */
#ifndef ALD_FORMATS_XML_H
#define ALD_FORMATS_XML_H

#include "io/formats/zip.h"

typedef enum ald_xml_kind { ALD_XML_END, ALD_XML_OPEN, ALD_XML_CLOSE, ALD_XML_TEXT } ald_xml_kind;

/* Bytes that grow, in scratch, with a 0 behind the last. */
typedef struct ald_bytes {
    char *data;
    int64_t count, capacity;
} ald_bytes;
ald_status ald_bytes_add(ald_run *run, ald_bytes *bytes, const void *data, size_t count);

typedef struct ald_xml {
    ald_run *run;
    const char *part_name;
    ald_zip_part *part;
    const unsigned char *at, *end;
    int closing;          /* the element that was opened is empty: its end is the next token */
    ald_bytes name;       /* of the element, without the prefix of its name space */
    ald_bytes attributes; /* name, 0, value, 0, ... */
    ald_bytes text;       /* with entities replaced */
} ald_xml;

/* Begins to read a part; one that the archive lacks is an error. */
ald_status ald_xml_begin(ald_run *run, const ald_zip *zip, const char *part_name, ald_xml *xml);
/* The next token; what it consists of is valid until the next call. */
ald_status ald_xml_next(ald_xml *xml, ald_xml_kind *kind);
/* Whether the element has this name. */
int ald_xml_is(const ald_xml *xml, const char *name);
/* The value of an attribute of the element that was opened; NULL: it has none of this name. */
const char *ald_xml_attribute(const ald_xml *xml, const char *name);
/* A character in UTF-8: its bytes; 0: none has this number. */
int ald_put_character(unsigned long code, char to[4]);

#endif
