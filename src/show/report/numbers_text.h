/* Numbers as people read them. */
#ifndef ALD_REPORT_NUMBERS_TEXT_H
#define ALD_REPORT_NUMBERS_TEXT_H

#include "show/report/report_job.h"

enum { ALD_SHORT_NUMBER = 48 };

/* As many digits as the standard error supports: two of it, as page/numbers.js does it; four of the value
 * where that is not known. */
void ald_short_number(double value, double standard_error, char text[ALD_SHORT_NUMBER]);
/* "2.28 (95 % interval 2.05 to 2.51)", or "2.28". */
enum { ALD_FIGURE_TEXT = 4 * ALD_SHORT_NUMBER };
void ald_figure_text(const ald_figure *figure, char text[ALD_FIGURE_TEXT]);

#endif
