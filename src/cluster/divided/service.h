/* Rank 0 runs the method and requests what it needs from rows that are divided among the ranks: the other
 * ranks wait, do what is requested, and wait again. So every decision is made once, and a method may make
 * requests as often and in whatever order it likes.
 *
 * An operation is a function that all ranks call at the same time, including rank 0, so that it may use the
 * calls of the communicator by its rules. */
#ifndef ALD_DIVIDED_SERVICE_H
#define ALD_DIVIDED_SERVICE_H

#include "base/core/record.h"
#include "cluster/divided/divided_rows.h"

typedef struct ald_service ald_service;

/* `given` is what rank 0 said, `result` where it wants the answer; NULL on the others. `run` is that of the
 * service: what is in its scratch lasts until the end, unless it is released. */
typedef ald_status (*ald_service_fn)(ald_run *run, ald_service *service, ald_record *given, void *result);

/* What a method has the others do; core/method.h. */
typedef struct ald_service_table {
    int count;
    const ald_service_fn *operations;
    /* Refuses what cannot be had so with the settings of the run, before anything is read. */
    ald_status (*check)(ald_run *run, int64_t columns);
    const ald_service_fn *more; /* operations of another table, numbered behind these; NULL: none */
} ald_service_table;

struct ald_service {
    const ald_service_table *table;
    const ald_divided *rows;
    const ald_target *target; /* of all rows, with their weights */
    const ald_matrix *graph;  /* of all rows, where the caller gave one; or NULL */
    void *self;               /* what the operations of this rank keep */
    ald_run run;
    int over; /* an operation has failed, and all ranks know */
};

/* On all ranks; ended by ald_service_end on all. */
void ald_service_begin(ald_run *run, ald_service *service);
/* Rank 0: all do operation `number`. `given`, made with `status`, may be NULL: nothing to say. */
ald_status ald_service_ask(ald_run *run, ald_service *service, int number, ald_status status,
                           const ald_record *given, void *result);
/* The others: until rank 0 is done. */
ald_status ald_service_wait(ald_run *run, ald_service *service);
/* Rank 0 with how it went, the others with what ald_service_wait gave; all get the same. */
ald_status ald_service_end(ald_run *run, ald_service *service, ald_status status);

#endif
