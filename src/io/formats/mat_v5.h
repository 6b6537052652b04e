/* MATLAB files of versions 5 to 7, as far as their library trusts them too much. */
#ifndef ALD_FORMATS_MAT_V5_H
#define ALD_FORMATS_MAT_V5_H

/* 1 if no variable of the file, which begins with these 128 bytes, reaches behind its end. */
int ald_mat_v5_is_whole(const char *path, const unsigned char *head);

#endif
