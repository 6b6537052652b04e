/* The device that calls of this thread compute on. Devices are opened once for the process and stay open:
 * that takes most of a second. */
#include "calls.h"
#include "functions.h"

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

PyMethodDef core_device_functions[] = {
    {"use_device", core_use_device, METH_VARARGS,
     "use_device(name) -> str: what calls of this thread compute on from now on; what it was before"},
    {"device_facts", core_device_facts, METH_NOARGS,
     "device_facts() -> dict: that device, and what it has done"},
    {NULL, NULL, 0, NULL},
};
