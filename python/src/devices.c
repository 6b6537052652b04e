/* The device that calls of this thread compute on, and arrays that live on one. Devices are opened once for
 * the process and stay open: that takes most of a second. */
#include "calls.h"
#include "functions.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

enum { most_devices = 16, name_size = 16 };

typedef struct opened {
    char name[name_size];
    ald_device *device; /* NULL: the processor */
    long process;
} opened;

static opened devices[most_devices];
static int count;
static _Thread_local const opened *in_use;

const ald_device *core_device(void)
{
    return in_use ? in_use->device : NULL;
}

/* The place of the name among those opened by this process; a fork cannot use what its parent has opened. */
static const opened *find(const char *name)
{
    for (int i = 0; i < count; i++)
        if (devices[i].process == (long)getpid() && strcmp(devices[i].name, name) == 0) return &devices[i];
    return NULL;
}

static const opened *open_device(const char *name)
{
    ald_error error;
    opened *made = &devices[count];
    if (count == most_devices || strlen(name) >= name_size) {
        PyErr_Format(PyExc_ValueError, "`device` is cpu, cuda, cuda:N or auto, not '%.40s'", name);
        return NULL;
    }
    const ald_status status = ald_device_open(name, &made->device, &error);
    if (status < 0) {
        core_raise(&error, status);
        return NULL;
    }
    strcpy(made->name, name);
    made->process = (long)getpid();
    count++;
    return made;
}

static PyObject *core_use_device(PyObject *module, PyObject *args)
{
    const char *name;
    const char *before = in_use ? in_use->name : "cpu";
    (void)module;
    if (!PyArg_ParseTuple(args, "s:use_device", &name)) return NULL;
    const opened *found = find(name);
    if (!found) found = open_device(name);
    if (!found) return NULL;
    in_use = found;
    return PyUnicode_FromString(before);
}

static PyObject *core_device_facts(PyObject *module, PyObject *unused)
{
    ald_error error;
    ald_device_facts facts = ALD_DEVICE_FACTS_INIT;
    (void)module, (void)unused;
    const ald_status status = ald_device_describe(core_device(), &facts, &error);
    if (status < 0) {
        core_raise(&error, status);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:d,s:d,s:d,s:d,s:L}", "name", facts.name, "memory", facts.memory, "bytes_in",
                         facts.bytes_in, "bytes_out", facts.bytes_out, "seconds", facts.seconds, "calls",
                         (long long)facts.calls);
}

/* Arrays on a card that describe themselves by DLPack: a capsule with a pointer to this structure. Reading it
 * leaves the capsule as it was: the array lives as long as the capsule does, whose end gives it up. */
enum { on_cuda = 2, is_float = 2, known_major = 1 };

typedef struct dl_tensor {
    void *data;
    struct {
        int32_t type, number;
    } device;
    int32_t ndim;
    struct {
        uint8_t code, bits;
        uint16_t lanes;
    } type;
    int64_t *shape, *strides; /* strides in entries; NULL: row major without gaps */
    uint64_t byte_offset;
} dl_tensor;

/* "dltensor" begins with the tensor; since version 1.0 there is "dltensor_versioned", with this before it. */
typedef struct dl_versioned {
    struct {
        uint32_t major, minor;
    } version;
    void *context;
    void (*end)(struct dl_versioned *self);
    uint64_t flags;
    dl_tensor tensor;
} dl_versioned;

static const char plain_name[] = "dltensor", versioned_name[] = "dltensor_versioned";

static const dl_tensor *tensor_of(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, plain_name)) return PyCapsule_GetPointer(capsule, plain_name);
    if (!PyCapsule_IsValid(capsule, versioned_name)) {
        PyErr_SetString(PyExc_TypeError, "DLPack: no capsule, or one that was taken before");
        return NULL;
    }
    const dl_versioned *found = PyCapsule_GetPointer(capsule, versioned_name);
    if (found->version.major == known_major) return &found->tensor;
    PyErr_Format(PyExc_BufferError, "DLPack: version %u.%u; 1 is known, and the form before it",
                 (unsigned)found->version.major, (unsigned)found->version.minor);
    return NULL;
}

static int is_real(const dl_tensor *t)
{
    return t->type.code == is_float && t->type.lanes == 1 && (t->type.bits == 32 || t->type.bits == 64);
}

static PyObject *tuple_of(const int64_t *values, int32_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple && i < count; i++) {
        PyObject *value = PyLong_FromLongLong((long long)values[i]);
        if (value && PyTuple_SetItem(tuple, i, value) == 0) continue;
        Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *core_dlpack(PyObject *module, PyObject *capsule)
{
    (void)module;
    const dl_tensor *t = tensor_of(capsule);
    if (!t) return NULL;
    if (t->device.type != on_cuda)
        return PyErr_Format(PyExc_BufferError,
                            "DLPack: a device of type %d; 2, a card of NVIDIA's, is wanted",
                            (int)t->device.type);
    if (t->ndim < 0 || (t->ndim > 0 && !t->shape) || !is_real(t))
        return PyErr_Format(PyExc_ValueError,
                            "DLPack: numbers of type code %d and %d bits; float64 or float32 is wanted",
                            (int)t->type.code, (int)t->type.bits);
    PyObject *shape = tuple_of(t->shape, t->ndim);
    PyObject *strides = t->strides ? tuple_of(t->strides, t->ndim) : Py_NewRef(Py_None);
    if (shape && strides)
        return Py_BuildValue("NNsK", shape, strides, t->type.bits == 32 ? "<f4" : "<f8",
                             (unsigned long long)((uintptr_t)t->data + t->byte_offset));
    Py_XDECREF(shape);
    Py_XDECREF(strides);
    return NULL;
}

PyMethodDef core_device_functions[] = {
    {"use_device", core_use_device, METH_VARARGS,
     "use_device(name) -> str: what calls of this thread compute on from now on; what it was before"},
    {"device_facts", core_device_facts, METH_NOARGS,
     "device_facts() -> dict: that device, and what it has done"},
    {"dlpack", core_dlpack, METH_O,
     "dlpack(capsule) -> (shape, strides or None, type, address): an array on a card, which lives as long as "
     "the capsule"},
    {NULL, NULL, 0, NULL},
};
