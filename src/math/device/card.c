/* <alidade/device.h>: a card by its name. What knows a card is in a module, loaded only where a card is asked
 * for: neither the library nor the program depends on it. */
#include "math/device/card.h"
#include "base/core/context.h"
#include "base/core/error.h"
#include "base/core/load_module.h"
#include "base/settings/options.h"
#include "base/threads/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "cuda" 0, "cuda:7" 7; -1: another name. */
static int card_number(const char *name)
{
    char *end;
    if (strncmp(name, "cuda", 4) != 0) return -1;
    if (name[4] == '\0') return 0;
    if (name[4] != ':' || name[5] < '0' || name[5] > '9') return -1;
    const long number = strtol(name + 5, &end, 10);
    return *end == '\0' && number < 1000 ? (int)number : -1;
}

int ald_card_number(const ald_card_table *table, const char *name, int rank)
{
    const int number = strcmp(name, "auto") == 0 ? 0 : card_number(name), cards = table->cards();
    return !strchr(name, ':') && number == 0 && rank > 0 && cards > 0 ? rank % cards : number;
}

static const ald_card_table *load(char *trouble, size_t size)
{
    ald_card_entry_fn entry;
    void *found = ald_module_entry(ALD_CUDA_FILE, ALD_CUDA_ENTRY, trouble, size);
    if (!found) return NULL;
    memcpy(&entry, &found, sizeof entry);
    const ald_card_table *table = entry();
    if (table->format == ALD_CARD_FORMAT) return table;
    snprintf(trouble, size, "its module is of another version");
    return NULL;
}

/* One is copied while another is computed with, and a third has come meanwhile. */
enum { blocks_at_once = 3 };

static void free_device(ald_device *device)
{
    ald_gate_end(device->blocks);
    free(device->blocks);
    free(device);
}

ald_status ald_device_with(const ald_card_table *table, int number, int always, ald_device **device,
                           char *trouble, size_t size)
{
    ald_device *made = calloc(1, sizeof *made);
    snprintf(trouble, size, "out of memory");
    if (!made) return ALD_ERROR_MEMORY;
    made->table = table;
    made->always = always;
    made->blocks = malloc(sizeof *made->blocks);
    if (!made->blocks) {
        free(made);
        return ALD_ERROR_MEMORY;
    }
    ald_gate_begin(made->blocks, blocks_at_once);
    made->card = table->open(number, &made->facts, trouble, size);
    if (made->card) {
        *device = made;
        return ALD_OK;
    }
    free_device(made);
    return ALD_ERROR_UNSUPPORTED;
}

ald_status ald_device_open(const char *name, ald_device **device, ald_error *error)
{
    return ald_device_open_on_rank(name, 0, device, error);
}

ald_status ald_device_open_on_rank(const char *name, int rank, ald_device **device, ald_error *error)
{
    char trouble[200];
    if (device) *device = NULL;
    ald_clear_error(error);
    ALD_GIVEN(error, name, device);
    const int is_auto = strcmp(name, "auto") == 0;
    if (strcmp(name, "cpu") == 0) return ALD_OK;
    if (!is_auto && card_number(name) < 0)
        return ald_fail(error, ALD_ERROR_ARGUMENT,
                        "unknown device '%.40s': choose cpu, cuda, cuda:N with the number of a card, or auto",
                        name);
    const ald_card_table *table = load(trouble, sizeof trouble);
    ald_status status = ALD_ERROR_UNSUPPORTED;
    if (table)
        status = ald_device_with(table, ald_card_number(table, name, rank), !is_auto, device, trouble,
                                 sizeof trouble);
    if (status >= 0 || is_auto) return ALD_OK;
    return ald_fail(error, status, "the device '%s' cannot be used: %s", name, trouble);
}

ald_status ald_context_set_device(ald_context *context, const ald_device *device, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, context);
    context->device = device;
    return ALD_OK;
}

ald_status ald_device_describe(const ald_device *device, ald_device_facts *facts, ald_error *error)
{
    ald_clear_error(error);
    ALD_GIVEN(error, facts);
    ALD_TRY(ALD_OPTIONS_CHECK(error, ald_device_facts, facts));
    const ald_device_facts none = {.name = "cpu"};
    ald_device_facts found = device ? device->facts : none;
    if (device) device->table->count(device->card, &found);
    ALD_OPTIONS_WRITE(ald_device_facts, &found, facts);
    return ALD_OK;
}

void ald_device_close(ald_device *device)
{
    if (!device) return;
    device->table->close(device->card);
    free_device(device);
}
