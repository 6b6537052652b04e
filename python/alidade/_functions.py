"""The functions of the package and the modules that have them; each is imported when it is first asked for."""
FUNCTIONS = {}
