/* The page around the data: HTML with marks, style and script, compiled in from page/
 * (cmake/report_page.cmake).
 */
#ifndef ALD_REPORT_PAGE_H
#define ALD_REPORT_PAGE_H

#include "base/core/text.h"

extern const char *const ald_page_html, *const ald_page_css, *const ald_page_script;
extern const size_t ald_page_html_size, ald_page_css_size, ald_page_script_size;

/* The whole file: `data` is JSON text that is safe in an element. */
ald_status ald_page_assemble(ald_run *run, const char *title, const ald_text *data, ald_text *html);

#endif
