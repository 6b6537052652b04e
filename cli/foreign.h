/* Options as other programs call them. */
#ifndef CLI_FOREIGN_H
#define CLI_FOREIGN_H

/* What `name`, given to a verb, is called here, or NULL: names from R, scikit-learn and the like. - and _ are
 * alike. */
const char *cli_foreign_name(const char *verb, const char *name);

#endif
