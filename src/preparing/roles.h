/* Which column is what, by the load options. */
#ifndef ALD_PREPARING_ROLES_H
#define ALD_PREPARING_ROLES_H

#include "preparing/preparation.h"

ald_status ald_prepare_choices(ald_run *run, ald_preparation *p);
ald_status ald_prepare_second_files(ald_run *run, ald_preparation *p);
/* The columns that name the rows: by the option, with or without a model to read like. */
ald_status ald_prepare_ids(ald_run *run, ald_preparation *p);
ald_status ald_prepare_roles(ald_run *run, ald_preparation *p);
/* An error when all texts of the column are numbers with a decimal comma, which nobody means as categories.
 */
ald_status ald_refuse_commas(ald_run *run, const ald_table *table, int64_t column);

#endif
