/* Target cells and weights, taken out of the table. */
#ifndef ALD_ENCODE_RESPONSE_H
#define ALD_ENCODE_RESPONSE_H

#include "data/encode/preparation.h"

ald_status ald_prepare_response(ald_run *run, ald_preparation *p);
/* Takes the dropped rows out of it. */
void ald_response_compress(ald_response *response, const unsigned char *dropped);
ald_status ald_prepare_weights(ald_run *run, ald_preparation *p);

#endif
