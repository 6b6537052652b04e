"""Methods that an object has only with certain parameters or training data."""
from __future__ import annotations

from functools import update_wrapper
from inspect import getattr_static
from types import MethodType
from typing import Any, Callable, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def available_if(check: Callable[[Any], bool]) -> Callable[[Function], Function]:
    """A method that is there where check(object) holds; else asking for it is an AttributeError. For type checkers it is
    the method itself."""
    return _Available(check)  # type: ignore[return-value]


class _Available:

    def __init__(self, check):
        self.check = check

    def __call__(self, function):
        self.function = function
        update_wrapper(self, function)
        return self

    def __get__(self, instance, owner):
        if instance is None:
            return self.function
        if not self.check(instance):
            raise AttributeError(f"this {owner.__name__} has no '{self.function.__name__}': {self.check.__doc__}")
        return MethodType(self.function, instance)


def only_there(thing, names):
    """The names whose value can be had; only properties and methods of this kind are asked."""
    conditional = (property, _Available)
    return [name for name in names if not isinstance(getattr_static(type(thing), name, None), conditional)
            or hasattr(thing, name)]
