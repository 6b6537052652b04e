#include "show/canvas/classes.h"

ald_mark_look ald_class_look(int index, int64_t count)
{
    return (ald_mark_look){
        .shape = count > ALD_SAFE_COLOURS ? (ald_shape)(index % ALD_SHAPES) : ALD_CIRCLE,
        .colour = ald_class_colour(index),
    };
}
