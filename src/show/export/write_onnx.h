/* A recipe as an ONNX graph: its steps. */
#ifndef ALD_EXPORT_WRITE_ONNX_H
#define ALD_EXPORT_WRITE_ONNX_H

#include "show/export/onnx_graph.h"
#include "show/export/recipe.h"

/* What comes of x (N rows) after steps first .. end. */
ald_status ald_onnx_steps(ald_graph_builder *b, const ald_model_recipe *recipe, int first, int end,
                          ald_value x, ald_value *y);

#endif
