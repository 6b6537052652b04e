/* The pairs of this rank that random starts are drawn for, by their numbers among the pairs of all ranks. */
#ifndef ALD_SDPP_SDPP_NUMBERS_H
#define ALD_SDPP_SDPP_NUMBERS_H

#include "methods/sdpp/sdpp_partners.h"

typedef struct ald_sdpp_numbered {
    int64_t number;
    int64_t low, high; /* rows as they are numbered here; the first is the lower one in the whole file */
    double weight;
} ald_sdpp_numbered;

typedef struct ald_sdpp_numbers {
    int64_t all;              /* pairs of all ranks */
    int64_t every, count;     /* of which each `every`-th is drawn; so many of them are here */
    ald_sdpp_numbered *drawn; /* in the order of their numbers */
} ald_sdpp_numbers;

/* In the scratch of the run. All ranks call it. */
ald_status ald_sdpp_number_pairs(ald_run *run, const ald_service *service, const ald_sdpp_share *share,
                                 ald_sdpp_numbers *numbers);

#endif
