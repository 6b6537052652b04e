/* The name that is nearest to one that nothing has. */
#ifndef ALD_NUMBERS_NEAR_NAMES_H
#define ALD_NUMBERS_NEAR_NAMES_H

typedef struct ald_near_name {
    const char *name; /* so far; NULL: none is near */
    int distance;
} ald_near_name;

/* Looks at one name more (NULL is passed over), which is near if it shares a letter or more. All zeros at
 * first. */
void ald_near_name_try(ald_near_name *nearest, const char *wanted, const char *candidate);

#endif
