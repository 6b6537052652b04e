/* An ONNX graph under way: constants and nodes, each with a name of its own, which is how others refer to it.
 * Names begin with a prefix that no input has. A failure stays with the graph. */
#ifndef ALD_EXPORT_ONNX_GRAPH_H
#define ALD_EXPORT_ONNX_GRAPH_H

#include "show/export/protobuf.h"

/* The name of a value of the graph. */
typedef const char *ald_value;

typedef struct ald_graph_builder {
    ald_run *run;
    ald_message graph;
    const char *prefix;
    int count;
    double level; /* of intervals, where nobody gives another */
} ald_graph_builder;

enum { ALD_ONNX_INT64 = 7, ALD_ONNX_STRING = 8, ALD_ONNX_BOOL = 9, ALD_ONNX_DOUBLE = 11 };

/* Constants: cols 0: a vector; both 0: one number. */
ald_value ald_onnx_reals(ald_graph_builder *b, const double *values, int64_t rows, int64_t cols);
ald_value ald_onnx_real(ald_graph_builder *b, double value);
ald_value ald_onnx_ints(ald_graph_builder *b, const int64_t *values, int64_t count);
ald_value ald_onnx_int(ald_graph_builder *b, int64_t value);
ald_value ald_onnx_strings(ald_graph_builder *b, char *const *values, int64_t count);

/* The result of an operator of up to three values; NULL: there are fewer. */
ald_value ald_onnx_node(ald_graph_builder *b, const char *op, ald_value x, ald_value y, ald_value z);
/* The same with one whole number, or a list of one, as attribute. */
ald_value ald_onnx_node_int(ald_graph_builder *b, const char *op, ald_value x, ald_value y, const char *name,
                            int64_t value);
/* A sum, mean, maximum or the like over an axis, which stays as 1 where `keeps`. */
ald_value ald_onnx_reduce(ald_graph_builder *b, const char *op, ald_value x, int64_t axis, int keeps);
/* Indices of the k smallest of each row. */
ald_value ald_onnx_smallest(ald_graph_builder *b, ald_value x, int64_t k);
/* Texts to whole numbers: key i to values[i], others to `otherwise`. */
ald_value ald_onnx_labels(ald_graph_builder *b, ald_value x, char *const *keys, const int64_t *values,
                          int64_t count, int64_t otherwise);
/* Values side by side. */
ald_value ald_onnx_concat(ald_graph_builder *b, const ald_value *values, int64_t count);
/* The value under a name that others know: an output of the graph of N rows (cols 0: a vector). */
void ald_onnx_output(ald_graph_builder *b, ald_value x, const char *name, int type, int64_t cols);
void ald_onnx_input(ald_graph_builder *b, const char *name, int type, int64_t cols);
/* An input of one number that has a default. */
void ald_onnx_input_number(ald_graph_builder *b, const char *name, double value);

#endif
