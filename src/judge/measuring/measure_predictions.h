/* The inside of ald_score_predictions_with. */
#ifndef ALD_MEASURING_MEASURE_PREDICTIONS_H
#define ALD_MEASURING_MEASURE_PREDICTIONS_H

#include "judge/evaluate/scores.h"

/* `columns` predictions per row of y, and the scores behind them. */
ald_status ald_score_run(ald_run *run, const ald_target *y, const double *prediction, int64_t columns,
                         const ald_score_options *options, ald_score_list *list);

#endif
