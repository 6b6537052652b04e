"""The methods, one class per file."""
