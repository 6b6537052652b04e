/* Means of the classes in the projection, which centroid and gaussian begin with. */
#ifndef ALD_PREDICT_CLASS_MEANS_H
#define ALD_PREDICT_CLASS_MEANS_H

#include "methods/predict/predictor.h"

/* `means` (q x r) and `counts` (q, sums of weights) in scratch; a class of count 0 has the mean 0. */
ald_status ald_class_means(ald_run *run, const ald_predictor_data *data, double **means, double **counts);

#endif
