/* How the marks of a class look. */
#ifndef ALD_CANVAS_CLASSES_H
#define ALD_CANVAS_CLASSES_H

#include "show/canvas/colour.h"
#include "show/canvas/marks.h"

/* Of class `index` of `count`: circles while the colours alone can be told apart by all, else shapes that
 * change with the colours; no two of 114 classes look alike. */
ald_mark_look ald_class_look(int index, int64_t count);

#endif
