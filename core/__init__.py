"""The ground floor: dtypes, array types, settings, errors and events. Imports nothing else of the package."""
