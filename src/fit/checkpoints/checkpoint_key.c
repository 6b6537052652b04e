#include "fit/checkpoints/checkpoint_key.h"

#include "fit/checkpoints/record_file.h"
#include "io/reading/file_list.h"

#include <string.h>

static uint64_t add_text(uint64_t key, const char *text)
{
    return ald_record_file_sum(key, text ? text : "\001", (int64_t)strlen(text ? text : "\001") + 1);
}

static uint64_t key_of_options(uint64_t key, const ald_load_options *o)
{
    const char *const texts[] = {
        o->format,  o->delimiter, o->header,      o->comment, o->target,    o->task,
        o->weights, o->ignore,    o->categorical, o->encode,  o->missing,   o->unlabelled_rows,
        o->id,      o->decimal,   o->na,          o->dates,   o->thousands,
    };
    const int64_t numbers[] = {o->prefer_real, o->keep_missing, o->block_bytes, o->skip};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) key = add_text(key, texts[i]);
    return ald_record_file_sum(key, numbers, sizeof numbers);
}

/* The file as it is; not its device, which another machine may number differently. */
ald_status ald_key_mark(ald_run *run, const char *path, ald_file_mark *mark)
{
    const ald_file_list *list;
    ald_input *input;
    ALD_TRY(ald_file_list_find(run, path, &list));
    if (list) {
        *mark = ald_file_list_mark(list);
        return ALD_OK;
    }
    ALD_TRY(ald_input_open(run, path, &input));
    *mark = ald_input_mark(input);
    ald_input_close(input);
    return ALD_OK;
}

uint64_t ald_key_of_data(const ald_file_mark *mark, const ald_load_options *options)
{
    const int64_t numbers[] = {mark->inode, mark->size, mark->seconds, mark->nanoseconds};
    const uint64_t key =
        key_of_options(ald_record_file_sum(add_text(0, ald_version()), numbers, sizeof numbers), options);
    return key ? key : 1;
}

uint64_t ald_key_of_settings(const ald_settings *settings)
{
    uint64_t key = add_text(0, ald_method_name(ald_settings_method(settings)));
    for (int i = 0; ald_settings_param_at(settings, i); i++)
        key = add_text(key, ald_settings_text_at(settings, i));
    return key;
}
