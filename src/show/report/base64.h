/* Bytes as text: base64 (RFC 4648) with padding. */
#ifndef ALD_REPORT_BASE64_H
#define ALD_REPORT_BASE64_H

#include "base/core/text.h"

ald_status ald_base64_add(ald_run *run, ald_text *text, const void *bytes, size_t size);

#endif
