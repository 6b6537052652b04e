"""Methods that an object has or has not, depending on its parameters and on what it was fitted on."""
from functools import update_wrapper
from types import MethodType


class available_if:
    """A method that is there where check(object) holds; else asking for it is an AttributeError."""

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
