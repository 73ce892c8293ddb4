"""Checks data against the JSON schema that ships with the package; knows only the words which that schema uses."""

from __future__ import annotations

from typing import Any

TYPES = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": type(None),
}
KNOWN = {
    "$schema", "$defs", "$ref", "title", "description", "type", "properties", "required", "additionalProperties",
    "items", "minItems", "maxItems", "enum", "const", "anyOf",
}  # fmt: skip


def mistakes(data: Any, schema: Any, root: dict[str, Any], place: str = "$") -> list[str]:
    """The places where `data` is not what `schema` says; empty when it is."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return mistakes(data, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    if "anyOf" in schema:
        return min((mistakes(data, each, root, place) for each in schema["anyOf"]), key=len)
    if "const" in schema and data != schema["const"] or "enum" in schema and data not in schema["enum"]:
        return [f"{place}: {data!r}"]
    if "type" in schema:
        right = isinstance(data, TYPES[schema["type"]]) and (schema["type"] == "boolean" or not isinstance(data, bool))
        if not right:
            return [f"{place}: {data!r} is no {schema['type']}"]
    found = []
    if isinstance(data, dict):
        found += [f"{place}: lacks {name}" for name in schema.get("required", ()) if name not in data]
        for name, value in data.items():
            rule = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            found += (
                [f"{place}: does not know {name}"] if rule is False else mistakes(value, rule, root, f"{place}.{name}")
            )
    if isinstance(data, list):
        if not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data)):
            found.append(f"{place}: has {len(data)} items")
        for number, value in enumerate(data):
            found += mistakes(value, schema.get("items", {}), root, f"{place}[{number}]")
    return found
