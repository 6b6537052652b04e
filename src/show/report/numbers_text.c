#include "show/report/numbers_text.h"

#include "base/numbers/number.h"

#include <math.h>
#include <stdio.h>

/* Digits behind the point, so that two digits of the standard error are told; -2: hundreds are the last. */
static int count_digits(double value, double standard_error)
{
    const double size =
        standard_error > 0.0 && isfinite(standard_error) ? standard_error : fabs(value) / 100.0;
    if (!(size > 0.0)) return 1;
    return (int)fmin(fmax(1.0 - floor(log10(size)), -12.0), 12.0);
}

/* Without the C library's printing of reals, which knows the locale. */
void ald_short_number(double value, double standard_error, char text[ALD_SHORT_NUMBER])
{
    const int wanted = count_digits(value, standard_error), digits = wanted > 0 ? wanted : 0;
    const double unit = pow(10.0, digits), coarse = pow(10.0, digits - wanted),
                 scaled = rint(fabs(value) / coarse * unit) * coarse;
    char plain[ALD_REAL_TEXT_SIZE];
    if (!(scaled < 1e15)) {
        ald_format_real(value, plain);
        snprintf(text, ALD_SHORT_NUMBER, "%s", plain);
        return;
    }
    const int64_t base = (int64_t)unit;
    const int64_t whole = (int64_t)scaled;
    int64_t rest = whole % base;
    char behind[16] = "";
    for (int i = digits; i > 0; i--, rest /= 10) behind[i] = (char)('0' + rest % 10);
    if (digits > 0) behind[0] = '.';
    snprintf(text, ALD_SHORT_NUMBER, "%s%lld%s", value < 0.0 && whole > 0 ? "-" : "",
             (long long)(whole / base), behind);
}

void ald_figure_text(const ald_figure *figure, char text[ALD_FIGURE_TEXT])
{
    const double error = (figure->high - figure->low) / 4.0;
    char value[ALD_SHORT_NUMBER], low[ALD_SHORT_NUMBER], high[ALD_SHORT_NUMBER];
    ald_short_number(figure->value, error, value);
    ald_short_number(figure->low, error, low);
    ald_short_number(figure->high, error, high);
    if (isfinite(figure->low) && isfinite(figure->high))
        snprintf(text, ALD_FIGURE_TEXT, "%s (95\xc2\xa0%% interval %s to %s)", value, low, high);
    else
        snprintf(text, ALD_FIGURE_TEXT, "%s", value);
}
