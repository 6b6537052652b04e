/* Devices: a graphics card on which the rows stand while a model is fitted.
 *
 *     ald_device *device;
 *     ald_device_open("cuda", &device, &error);             // or "cuda:1", "auto", "cpu"
 *     ald_context_set_device(context, device, &error);
 *     ald_fit_inputs(context, ...);                         // as ever
 *     ald_device_close(device);                             // after the context is freed
 *
 * A fit copies X to the card once; products with it, its scatter and large eigenproblems are computed there,
 * and what is small is computed by the processor. Models and results are those of the processor to rounding.
 *
 * X that is in the memory of the device already is described by an ald_matrix of the storage ALD_ON_DEVICE,
 * which fits, ald_transform, ald_transform_to, ald_predict and ald_predict_scores take. What other programs
 * are still writing there is waited for. Methods that can stream use X by products alone and leave it there;
 * others work with a copy in the memory of the host. See docs/gpu.md. */
#ifndef ALIDADE_DEVICE_H
#define ALIDADE_DEVICE_H

#include <alidade/context.h>
#include <alidade/model.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ald_device ald_device;

/* `name`: "cuda" or "cuda:N", the card of that number from 0; it is an error where it cannot be used. "auto":
 * the first card, for fits that are large enough, or none where there is none. "cpu": none. Where there is
 * none `device` receives NULL, which every function below accepts. */
ALD_API ald_status ald_device_open(const char *name, ald_device **device, ald_error *error);
/* The same for one of several ranks (ranks.h): where the name has no number they take the cards of the
 * machine in turn, with four cards rank 5 the card 1. */
ALD_API ald_status ald_device_open_on_rank(const char *name, int rank, ald_device **device, ald_error *error);
/* `device` must outlive the context; NULL: the processor. */
ALD_API ald_status ald_context_set_device(ald_context *context, const ald_device *device, ald_error *error);
ALD_API void ald_device_close(ald_device *device);

/* What a device is, and what it has done since it was opened. */
typedef struct ald_device_facts {
    size_t size;
    char name[80];    /* "NVIDIA H200"; "cpu" for NULL */
    double memory;    /* bytes that it has */
    double bytes_in;  /* copied to it */
    double bytes_out; /* copied from it */
    double seconds;   /* that it computed or copied, as the calling threads saw it */
    int64_t held;     /* matrices that were copied to it */
    int64_t calls;    /* products, scatters and eigenproblems that it computed */
} ald_device_facts;
#define ALD_DEVICE_FACTS_INIT ALD_INIT(ald_device_facts)
ALD_API ald_status ald_device_describe(const ald_device *device, ald_device_facts *facts, ald_error *error);

/* ald_transform_to with an output in the memory of the context's device, row major without gaps. Without a
 * device that is the memory of the host. */
ALD_API ald_status ald_transform_on_device(ald_context *context, const ald_model *model, const ald_matrix *x,
                                           const ald_output_view *output, ald_error *error);

#ifdef __cplusplus
}
#endif
#endif
