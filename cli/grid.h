/* Grids of values: lists, ranges, what tune takes by itself, and values drawn from them. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "cli.h"

/* The values of a grid as a list with commas, allocated: "0,1,10" as it is, log:1e-3:10:5 and lin:0:1:5 written out,
 * each part of a list with commas for itself. */
int cli_grid_list(cli_session *session, const char *name, const char *values, char **list);
/* A value of the grid, by u on [0, 1): of log:LOW:HIGH and lin:LOW:HIGH anything between, else one of the list. Of
 * parameters that are whole numbers the nearest. */
int cli_grid_draw(cli_session *session, const char *name, const char *values, int whole, double u, char *value,
                  size_t size);
int cli_grid_is_whole(const ald_method *method, const char *name);

/* What tune tries where no grid is given: the name of parameter `index` and its values; NULL past the end. */
const char *cli_grid_usual(int index, const char **values);
/* Whether it is tried with such settings: the method has it, and it was not given. */
int cli_grid_suits(int index, const ald_settings *settings);

#endif
