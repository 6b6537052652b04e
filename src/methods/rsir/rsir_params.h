/* The parameters of rsir, and their values. */
#ifndef ALD_RSIR_RSIR_PARAMS_H
#define ALD_RSIR_RSIR_PARAMS_H

#include "base/settings/method.h"

/* Enumerators in the order of the choices. */
typedef enum ald_rsir_graph { ALD_RSIR_KNN, ALD_RSIR_FULL, ALD_RSIR_EPSILON } ald_rsir_graph;

typedef struct ald_rsir_settings {
    double eta;
    int eta_given; /* else it may be raised where labelled rows are few */
    ald_rsir_graph graph;
    int64_t n_neighbors;
    double radius, heat_width; /* 0: by the rows */
    int64_t n_starts;
    double tol;
    int64_t max_iter;
    double ridge, ridge_rel; /* both add */
    uint64_t seed;
} ald_rsir_settings;

/* Asked for once per fit, and handed on. */
ald_rsir_settings ald_rsir_settings_of(const ald_run *run);

extern const ald_param *const ald_rsir_params[];

#endif
