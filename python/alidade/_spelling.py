"""The library's messages put the names of its interface in backquotes: an argument or a parameter, with or without a value
(`n_components`, `unlabelled_rows=drop`), or a function (`ald_method_at`). Here, and nowhere else, they become what is
written in Python: `unlabelled_rows="drop"`, `dir(alidade)`."""
import re

from alidade._names import CLASSES

FUNCTIONS = {"ald_model_save": "alidade.save", "ald_convert": "alidade convert", "ald_method_at": "dir(alidade)",
             "ald_confusion": "alidade.evaluate(...).confusion"}
OTHER_NAMES = {"grids": "grid", "dims": "components"}
MARK = re.compile(r"`([a-z_0-9]+)(?:=([^`]*)|\((\w*)\))?`")
NUMBER = re.compile(r"-?[\d.]+(e-?\d+)?|True|False")


def _class(method):
    """The class of a method by the library's name of it."""
    return next((name for name, module in CLASSES.items() if module.endswith(f".{method}")), None)


def _spelled(mark):
    name, value, method = mark.groups()
    if method is not None:
        return f"`help(alidade.{_class(method) or method})`"
    if name in FUNCTIONS:
        return f"`{FUNCTIONS[name]}`"
    name = OTHER_NAMES.get(name, name)
    if value is None:
        return f"`{name}`"
    return f"`{name}={value}`" if value[:1] == '"' or NUMBER.fullmatch(value) else f'`{name}="{value}"`'


def spelled(message):
    """A message of the library in the words of Python."""
    return MARK.sub(_spelled, message)


OF_TABLES = {' (`unlabelled_rows="drop"`)': " of X and y",
             ", which only a fit takes (`response_kernel_file`): give it there": ": give it to `fit` as `response_kernel`"}


def of_arrays(message):
    """The same where there is no table: its options cannot be given."""
    for words, instead in OF_TABLES.items():
        message = message.replace(words, instead)
    return message
