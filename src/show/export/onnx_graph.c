/* The messages of ONNX (onnx.proto, IR version 7): GraphProto with NodeProto, TensorProto, ValueInfoProto and
 * AttributeProto. The numbers of their fields are those of onnx.proto. */
#include "show/export/onnx_graph.h"

#include <stdio.h>
#include <string.h>

enum { graph_node = 1, graph_initializer = 5, graph_input = 11, graph_output = 12 };
enum { node_input = 1, node_output = 2, node_op = 4, node_attribute = 5, node_domain = 7 };
enum { tensor_dims = 1, tensor_type = 2, tensor_strings = 6, tensor_name = 8, tensor_raw = 9 };
enum { attribute_name = 1, attribute_i = 3, attribute_ints = 8, attribute_strings = 9, attribute_type = 20 };
enum { type_int = 2, type_ints = 7, type_strings = 8 };

/* A new one, in scratch. */
static ald_value new_name(ald_graph_builder *b)
{
    char text[64];
    char *kept = NULL;
    snprintf(text, sizeof text, "%s%d", b->prefix, b->count++);
    const ald_status status = ald_keep_text(b->run, &b->run->scratch, text, strlen(text), &kept);
    if (b->graph.status >= 0) b->graph.status = status;
    return kept ? kept : "";
}

static ald_message begin_tensor(ald_graph_builder *b, int type, int64_t rows, int64_t cols, ald_value name)
{
    ald_message tensor = ald_message_begin(b->run);
    if (rows > 0) ald_message_int(&tensor, tensor_dims, rows);
    if (cols > 0) ald_message_int(&tensor, tensor_dims, cols);
    ald_message_int(&tensor, tensor_type, type);
    ald_message_text(&tensor, tensor_name, name);
    return tensor;
}

static void add_reals(ald_graph_builder *b, const double *values, int64_t rows, int64_t cols, ald_value name)
{
    ald_message tensor = begin_tensor(b, ALD_ONNX_DOUBLE, rows, cols, name);
    ald_message_reals(&tensor, tensor_raw, values, (rows > 0 ? rows : 1) * (cols > 0 ? cols : 1));
    ald_message_add(&b->graph, graph_initializer, &tensor);
}

ald_value ald_onnx_reals(ald_graph_builder *b, const double *values, int64_t rows, int64_t cols)
{
    const ald_value name = new_name(b);
    add_reals(b, values, rows, cols, name);
    return name;
}

ald_value ald_onnx_real(ald_graph_builder *b, double value)
{
    return ald_onnx_reals(b, &value, 0, 0);
}

ald_value ald_onnx_ints(ald_graph_builder *b, const int64_t *values, int64_t count)
{
    const ald_value name = new_name(b);
    ald_message tensor = begin_tensor(b, ALD_ONNX_INT64, count, 0, name);
    ald_message_ints(&tensor, tensor_raw, values, count > 0 ? count : 1);
    ald_message_add(&b->graph, graph_initializer, &tensor);
    return name;
}

ald_value ald_onnx_int(ald_graph_builder *b, int64_t value)
{
    return ald_onnx_ints(b, &value, 0);
}

ald_value ald_onnx_strings(ald_graph_builder *b, char *const *values, int64_t count)
{
    const ald_value name = new_name(b);
    ald_message tensor = begin_tensor(b, ALD_ONNX_STRING, count, 0, name);
    for (int64_t i = 0; i < count; i++) ald_message_text(&tensor, tensor_strings, values[i]);
    ald_message_add(&b->graph, graph_initializer, &tensor);
    return name;
}

static ald_message begin_node(ald_graph_builder *b, const char *op, ald_value x, ald_value y, ald_value z)
{
    ald_message node = ald_message_begin(b->run);
    if (x) ald_message_text(&node, node_input, x);
    if (y) ald_message_text(&node, node_input, y);
    if (z) ald_message_text(&node, node_input, z);
    ald_message_text(&node, node_op, op);
    return node;
}

static ald_value end_node(ald_graph_builder *b, ald_message *node)
{
    const ald_value name = new_name(b);
    ald_message_text(node, node_output, name);
    ald_message_add(&b->graph, graph_node, node);
    return name;
}

static void add_int(ald_message *node, const char *name, int64_t value, int listed)
{
    ald_message attribute = ald_message_begin(node->run);
    ald_message_text(&attribute, attribute_name, name);
    ald_message_int(&attribute, listed ? attribute_ints : attribute_i, value);
    ald_message_int(&attribute, attribute_type, listed ? type_ints : type_int);
    ald_message_add(node, node_attribute, &attribute);
}

ald_value ald_onnx_node(ald_graph_builder *b, const char *op, ald_value x, ald_value y, ald_value z)
{
    ald_message node = begin_node(b, op, x, y, z);
    return end_node(b, &node);
}

ald_value ald_onnx_node_int(ald_graph_builder *b, const char *op, ald_value x, ald_value y, const char *name,
                            int64_t value)
{
    ald_message node = begin_node(b, op, x, y, NULL);
    add_int(&node, name, value, 0);
    return end_node(b, &node);
}

/* In opset 13 the axes of ReduceSum are an input, those of the others an attribute. */
ald_value ald_onnx_reduce(ald_graph_builder *b, const char *op, ald_value x, int64_t axis, int keeps)
{
    const int by_input = strcmp(op, "ReduceSum") == 0;
    ald_message node = begin_node(b, op, x, by_input ? ald_onnx_ints(b, &axis, 1) : NULL, NULL);
    if (!by_input) add_int(&node, "axes", axis, 1);
    add_int(&node, "keepdims", keeps, 0);
    return end_node(b, &node);
}

/* With a row more, which is left out again: TopK of ONNX Runtime divides by the number of rows. */
ald_value ald_onnx_smallest(ald_graph_builder *b, ald_value x, int64_t k)
{
    const int64_t pads[] = {0, 0, 1, 0}, starts[] = {0, 0}, ends[] = {-1, k};
    const ald_value more = ald_onnx_node(b, "Pad", x, ald_onnx_ints(b, pads, 4), NULL);
    ald_message node = begin_node(b, "TopK", more, ald_onnx_ints(b, &k, 1), NULL);
    add_int(&node, "axis", 1, 0);
    add_int(&node, "largest", 0, 0);
    ald_message_text(&node, node_output, new_name(b)); /* the values come first */
    const ald_value near = end_node(b, &node);
    return ald_onnx_node(b, "Slice", near, ald_onnx_ints(b, starts, 2), ald_onnx_ints(b, ends, 2));
}

ald_value ald_onnx_labels(ald_graph_builder *b, ald_value x, char *const *keys, const int64_t *values,
                          int64_t count, int64_t otherwise)
{
    ald_message node = begin_node(b, "LabelEncoder", x, NULL, NULL);
    ald_message names = ald_message_begin(b->run), codes = ald_message_begin(b->run);
    ald_message_text(&names, attribute_name, "keys_strings");
    ald_message_text(&codes, attribute_name, "values_int64s");
    for (int64_t i = 0; i < count; i++) {
        ald_message_text(&names, attribute_strings, keys[i]);
        ald_message_int(&codes, attribute_ints, values[i]);
    }
    ald_message_int(&names, attribute_type, type_strings);
    ald_message_int(&codes, attribute_type, type_ints);
    ald_message_add(&node, node_attribute, &names);
    ald_message_add(&node, node_attribute, &codes);
    add_int(&node, "default_int64", otherwise, 0);
    ald_message_text(&node, node_domain, "ai.onnx.ml");
    return end_node(b, &node);
}

ald_value ald_onnx_concat(ald_graph_builder *b, const ald_value *values, int64_t count)
{
    ald_message node = ald_message_begin(b->run);
    if (count == 1) return values[0];
    for (int64_t i = 0; i < count; i++) ald_message_text(&node, node_input, values[i]);
    ald_message_text(&node, node_op, "Concat");
    add_int(&node, "axis", 1, 0);
    return end_node(b, &node);
}

/* ValueInfoProto {name, TypeProto {Tensor {type, TensorShapeProto {Dimension ...}}}}. `rows`: the first of
 * its dimensions is N. */
static void add_value(ald_graph_builder *b, int field, const char *name, int type, int rows, int64_t cols)
{
    ald_message value = ald_message_begin(b->run), of = ald_message_begin(b->run),
                tensor = ald_message_begin(b->run), shape = ald_message_begin(b->run);
    if (rows) {
        ald_message dimension = ald_message_begin(b->run);
        ald_message_text(&dimension, 2, "N");
        ald_message_add(&shape, 1, &dimension);
    }
    if (cols > 0) {
        ald_message dimension = ald_message_begin(b->run);
        ald_message_int(&dimension, 1, cols);
        ald_message_add(&shape, 1, &dimension);
    }
    ald_message_int(&tensor, 1, type);
    ald_message_add(&tensor, 2, &shape);
    ald_message_add(&of, 1, &tensor);
    ald_message_text(&value, 1, name);
    ald_message_add(&value, 2, &of);
    ald_message_add(&b->graph, field, &value);
}

void ald_onnx_output(ald_graph_builder *b, ald_value x, const char *name, int type, int64_t cols)
{
    ald_message node = begin_node(b, "Identity", x, NULL, NULL);
    ald_message_text(&node, node_output, name);
    ald_message_add(&b->graph, graph_node, &node);
    add_value(b, graph_output, name, type, 1, cols);
}

void ald_onnx_input(ald_graph_builder *b, const char *name, int type, int64_t cols)
{
    add_value(b, graph_input, name, type, 1, cols);
}

void ald_onnx_input_number(ald_graph_builder *b, const char *name, double value)
{
    add_value(b, graph_input, name, ALD_ONNX_DOUBLE, 0, 0);
    add_reals(b, &value, 0, 0, name);
}
