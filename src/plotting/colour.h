/* Colours that those who confuse red and green can tell apart, as 0xrrggbb. */
#ifndef ALD_PLOTTING_COLOUR_H
#define ALD_PLOTTING_COLOUR_H

enum { ALD_GREY = 0x9a9a9a, ALD_INK = 0x222222, ALD_CLASS_COLOURS = 7, ALD_RAMP_STOPS = 17 };

/* Seven colours; more classes are told apart by the shape of the mark. */
int ald_class_colour(int index);
/* Stop 0 .. ALD_RAMP_STOPS - 1 of the ramp for numbers. */
int ald_ramp_stop(int stop);
/* Between the stops; `part` outside 0 .. 1 is taken as the nearer end. */
int ald_ramp_colour(double part);

#endif
