/* A scanner for the XML that office programs write: elements, attributes, text, the five entities and
 * characters by number, CDATA. Comments and processing instructions are passed over. A document type is
 * refused, since it could define entities that grow without bound. Elements need not be balanced: whoever
 * reads the tokens looks for those that he knows, and memory is bounded by the longest token. */
#include "io/formats/xml.h"

#include "io/table/table.h"

#include <stdlib.h>
#include <string.h>

enum { longest_token = 1 << 24, no_byte = -1 };

ald_status ald_bytes_add(ald_run *run, ald_bytes *bytes, const void *data, size_t count)
{
    ALD_TRY(
        ald_grow(run, &run->scratch, &bytes->data, &bytes->capacity, bytes->count + (int64_t)count + 1, 1));
    if (count > 0) memcpy(bytes->data + bytes->count, data, count);
    bytes->count += (int64_t)count;
    bytes->data[bytes->count] = '\0';
    return ALD_OK;
}

static ald_status fail(const ald_xml *xml, const char *why)
{
    return ald_fail(xml->run->error, ALD_ERROR_FORMAT, "the part %.100s %s", xml->part_name, why);
}

static ald_status add(const ald_xml *xml, ald_bytes *bytes, int byte)
{
    const char data = (char)byte;
    if (bytes->count >= longest_token) return fail(xml, "has a text of more than 16 MB");
    return ald_bytes_add(xml->run, bytes, &data, 1);
}

static ald_status clear(const ald_xml *xml, ald_bytes *bytes)
{
    bytes->count = 0;
    return ald_bytes_add(xml->run, bytes, "", 0);
}

/* The next byte, which stays the next one; no_byte at the end. */
static ald_status peek(ald_xml *xml, int *byte)
{
    size_t count = (size_t)(xml->end - xml->at);
    if (count == 0) {
        ALD_TRY(ald_zip_next(xml->run, xml->part, &xml->at, &count));
        xml->end = xml->at + count;
    }
    *byte = count > 0 ? *xml->at : no_byte;
    return ALD_OK;
}

static ald_status take(ald_xml *xml, int *byte)
{
    ALD_TRY(peek(xml, byte));
    if (*byte == no_byte) return fail(xml, "ends in the middle of its XML");
    xml->at++;
    return ALD_OK;
}

ald_status ald_xml_begin(ald_run *run, const ald_zip *zip, const char *part_name, ald_xml *xml)
{
    int first;
    *xml = (ald_xml){.run = run, .part_name = part_name};
    ALD_TRY(ald_zip_find(run, zip, part_name, &xml->part));
    if (!xml->part) return fail(xml, "is missing: the file is no workbook, or damaged");
    ALD_TRY(clear(xml, &xml->name));
    ALD_TRY(clear(xml, &xml->attributes));
    ALD_TRY(peek(xml, &first));
    return first == 0xfe || first == 0xff ? fail(xml, "is not written in UTF-8") : ALD_OK;
}

static int is_blank(int byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static ald_status skip_blanks(ald_xml *xml, int *next)
{
    for (;;) {
        ALD_TRY(peek(xml, next));
        if (!is_blank(*next)) return ALD_OK;
        xml->at++;
    }
}

/* Passes over everything up to `ending`; to `kept`, unless that is NULL. */
static ald_status pass_until(ald_xml *xml, const char *ending, ald_bytes *kept)
{
    char window[4] = "";
    const size_t length = strlen(ending);
    for (size_t seen = 0; seen < length || memcmp(window, ending, length) != 0; seen++) {
        int byte;
        ALD_TRY(take(xml, &byte));
        memmove(window, window + (seen >= length), length - 1);
        window[seen < length ? seen : length - 1] = (char)byte;
        if (kept) ALD_TRY(add(xml, kept, byte));
    }
    if (kept) kept->count -= (int64_t)length;
    return ALD_OK;
}

int ald_put_character(unsigned long code, char to[4])
{
    static const unsigned char leading[] = {0, 0xc0, 0xe0, 0xf0};
    const int is_half = code >= 0xd800 && code < 0xe000;
    if (code == 0 || code > 0x10ffff || is_half) return 0;
    const int more = (code >= 0x80) + (code >= 0x800) + (code >= 0x10000);
    to[0] = (char)(leading[more] | code >> (6 * more));
    for (int k = 1; k <= more; k++) to[k] = (char)(0x80 | ((code >> (6 * (more - k))) & 0x3f));
    return more + 1;
}

static ald_status add_character(const ald_xml *xml, ald_bytes *to, unsigned long code)
{
    char bytes[4];
    const int count = ald_put_character(code, bytes);
    for (int k = 0; k < count; k++) ALD_TRY(add(xml, to, bytes[k]));
    return count > 0 ? ALD_OK : fail(xml, "has a character that does not exist");
}

/* What stands between & and ;. */
static ald_status take_entity(ald_xml *xml, ald_bytes *to)
{
    static const struct {
        const char *name;
        char character;
    } known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    char name[12] = "";
    char *end;
    for (size_t length = 0;; length++) {
        int byte;
        ALD_TRY(take(xml, &byte));
        if (byte == ';') break;
        if (length + 1 == sizeof name) return fail(xml, "has an & that is no entity");
        name[length] = (char)byte;
    }
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name, known[k].name) == 0) return add(xml, to, known[k].character);
    const int hexadecimal = name[1] == 'x';
    const unsigned long code = strtoul(name + 1 + hexadecimal, &end, hexadecimal ? 16 : 10);
    if (name[0] != '#' || *end || end == name + 1 + hexadecimal) return fail(xml, "has an unknown entity");
    return add_character(xml, to, code);
}

static ald_status take_quoted(ald_xml *xml)
{
    int quote, byte;
    ALD_TRY(take(xml, &quote));
    if (quote != '"' && quote != '\'') return fail(xml, "has an attribute without quotes");
    for (;;) {
        ALD_TRY(take(xml, &byte));
        if (byte == quote) return add(xml, &xml->attributes, '\0');
        if (byte == '&')
            ALD_TRY(take_entity(xml, &xml->attributes));
        else
            ALD_TRY(add(xml, &xml->attributes, byte));
    }
}

/* A name into `to`, without what stands before its colon. */
static ald_status take_name(ald_xml *xml, ald_bytes *to)
{
    int byte;
    const int64_t begin = to->count;
    for (;;) {
        ALD_TRY(peek(xml, &byte));
        if (byte == no_byte || is_blank(byte) || byte == '=' || byte == '>' || byte == '/') break;
        xml->at++;
        if (byte == ':')
            to->count = begin;
        else
            ALD_TRY(add(xml, to, byte));
    }
    return to->count > begin ? ALD_OK : fail(xml, "has a name where none can be");
}

static ald_status take_attributes(ald_xml *xml)
{
    int next;
    ALD_TRY(clear(xml, &xml->attributes));
    for (;;) {
        ALD_TRY(skip_blanks(xml, &next));
        if (next == '>' || next == '/') break;
        ALD_TRY(take_name(xml, &xml->attributes));
        ALD_TRY(add(xml, &xml->attributes, '\0'));
        ALD_TRY(skip_blanks(xml, &next));
        if (next != '=') return fail(xml, "has an attribute without a value");
        xml->at++;
        ALD_TRY(skip_blanks(xml, &next));
        ALD_TRY(take_quoted(xml));
    }
    xml->closing = next == '/';
    return pass_until(xml, ">", NULL);
}

static ald_status take_markup(ald_xml *xml, ald_xml_kind *kind)
{
    int next;
    ALD_TRY(take(xml, &next)); /* the < */
    ALD_TRY(peek(xml, &next));
    if (next == '?') return pass_until(xml, "?>", NULL);
    if (next == '!') {
        xml->at++;
        ALD_TRY(take(xml, &next));
        if (next == '-')
            return pass_until(xml,
                              "-"
                              "->",
                              NULL);
        if (next != '[') return fail(xml, "has a document type, which no workbook needs");
        ALD_TRY(clear(xml, &xml->text));
        ALD_TRY(pass_until(xml, "[", NULL));
        *kind = ALD_XML_TEXT;
        ALD_TRY(pass_until(xml, "]]>", &xml->text));
        return ald_bytes_add(xml->run, &xml->text, "", 0);
    }
    *kind = next == '/' ? ALD_XML_CLOSE : ALD_XML_OPEN;
    if (next == '/') xml->at++;
    ALD_TRY(clear(xml, &xml->name));
    ALD_TRY(take_name(xml, &xml->name));
    return *kind == ALD_XML_OPEN ? take_attributes(xml) : pass_until(xml, ">", NULL);
}

static ald_status take_text(ald_xml *xml)
{
    int byte;
    ALD_TRY(clear(xml, &xml->text));
    for (;;) {
        ALD_TRY(peek(xml, &byte));
        if (byte == no_byte || byte == '<') return ALD_OK;
        xml->at++;
        if (byte == '&')
            ALD_TRY(take_entity(xml, &xml->text));
        else
            ALD_TRY(add(xml, &xml->text, byte));
    }
}

ald_status ald_xml_next(ald_xml *xml, ald_xml_kind *kind)
{
    int byte;
    *kind = ALD_XML_END;
    if (xml->closing) {
        xml->closing = 0;
        *kind = ALD_XML_CLOSE;
        return ALD_OK;
    }
    while (*kind == ALD_XML_END) {
        ALD_TRY(peek(xml, &byte));
        if (byte == no_byte) return ALD_OK;
        if (byte == '<') {
            ALD_TRY(take_markup(xml, kind));
        } else {
            *kind = ALD_XML_TEXT;
            ALD_TRY(take_text(xml));
        }
    }
    return ALD_OK;
}

int ald_xml_is(const ald_xml *xml, const char *name)
{
    return strcmp(xml->name.data, name) == 0;
}

const char *ald_xml_attribute(const ald_xml *xml, const char *name)
{
    const char *at = xml->attributes.data, *end = at + xml->attributes.count;
    while (at < end) {
        const char *value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0) return value;
        at = value + strlen(value) + 1;
    }
    return NULL;
}
