/* Rank 0 computes, and asks the other ranks for what it needs of rows that are divided among them: they
 * wait, carry out what they are asked for, and wait again. Decisions are thereby made once; a method may
 * ask as often and in whatever order it likes.
 *
 * An operation is a function that all ranks call at the same time, rank 0 too, so that it may use the
 * calls of the communicator by its rules. */
#ifndef ALD_DIVIDED_SERVICE_H
#define ALD_DIVIDED_SERVICE_H

#include "cluster/divided/divided_rows.h"

typedef struct ald_service {
    const ald_divided *rows;
    const ald_target *target; /* of all rows, with their weights */
    const ald_matrix *graph;  /* of all rows, where the caller gave one; or NULL */
    void *self;               /* what the operations of this rank keep */
    ald_run run;
    int over; /* an operation has failed, and all ranks know */
} ald_service;

/* `given` is what rank 0 has sent, `result` where it wants the answer; NULL on the others. `run` is that
 * of the service: its scratch lasts until the end, unless it is released. */
typedef ald_status (*ald_service_fn)(ald_run *run, ald_service *service, ald_record *given, void *result);

typedef enum ald_operation {
    ALD_TAKE_ROWS, /* kernel_rows.c */
    ALD_SUM_FEATURES,
    ALD_SUM_SQUARES,
    ALD_FIND_PAIRS, /* remote_pairs.c */
    ALD_MAP_ROWS,
    ALD_DEVIATIONS,
    ALD_SUM_PAIRS,
    ALD_OPERATIONS,
} ald_operation;
/* By number, in divided_methods.c. */
extern const ald_service_fn ald_service_operations[ALD_OPERATIONS];

/* On all ranks; ended by ald_service_end on all. */
void ald_service_begin(ald_run *run, ald_service *service);
/* Rank 0: all carry out the operation. `given`, made with `status`, may be NULL: nothing to send. */
ald_status ald_service_ask(ald_run *run, ald_service *service, ald_operation operation, ald_status status,
                           const ald_record *given, void *result);
/* The others: until rank 0 ends the service. */
ald_status ald_service_wait(ald_run *run, ald_service *service);
/* Rank 0 with its status, the others with that of ald_service_wait; all get the same. */
ald_status ald_service_end(ald_run *run, ald_service *service, ald_status status);

#endif
