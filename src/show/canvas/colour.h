/* Colours as 0xrrggbb; the first eight of classes, and the ramp, can be told apart by those who confuse red
 * and green. */
#ifndef ALD_CANVAS_COLOUR_H
#define ALD_CANVAS_COLOUR_H

enum {
    ALD_GREY = 0x9a9a9a,
    ALD_INK = 0x222222,
    ALD_CLASS_COLOURS = 19,
    ALD_SAFE_COLOURS = 8,
    ALD_RAMP_STOPS = 17,
};

/* Of class `index`; from number ALD_CLASS_COLOURS on they come again. */
int ald_class_colour(int index);
/* The same, or darker where a thin line of it would be lost on white. */
int ald_line_colour(int colour);
int ald_is_light(int colour);
/* Stop 0 .. ALD_RAMP_STOPS - 1 of the ramp for numbers. */
int ald_ramp_stop(int stop);
/* Between the stops; `part` outside 0 .. 1 is taken as the nearer end. */
int ald_ramp_colour(double part);

#endif
