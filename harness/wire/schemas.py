"""The protocol as documents: JSON Schemas and the tables of docs/protocol.md.

`python -m harness.wire.schemas` writes both.
"""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct

from harness.actions import AnyAction, Point
from harness.wire.protocol import ActRecord, AnyRequest, Fault, FrameInfo, Open, Opened, Reply, Stamps, Summary, View

DOCS = Path(__file__).resolve().parents[2] / "docs"
ROOTS: dict[str, Any] = {"request": AnyRequest, "reply": Reply, "open": Open, "opened": Opened, "summary": Summary}
TABLES: dict[str, tuple[type[Struct], ...]] = {
    "requests": (*get_args(AnyRequest), View),
    "actions": (*get_args(AnyAction), Point),
    "reply": (Reply, FrameInfo, Stamps, Fault),
    "open": (Open,),
    "summary": (Summary, ActRecord),
}


def schemas() -> dict[str, str]:
    """File name -> text of each JSON Schema."""
    return {f"{name}.json": _schema(name, root) for name, root in ROOTS.items()}


def page(text: str) -> str:
    """docs/protocol.md with its tables renewed: what stands between `<!-- NAME -->` and `<!-- end -->`."""

    def table(found: re.Match[str]) -> str:
        return f"<!-- {found[1]} -->\n{_table(TABLES[found[1]])}<!-- end -->"

    return re.sub(r"<!-- (\w+) -->\n.*?<!-- end -->", table, text, flags=re.DOTALL)


def _schema(name: str, root: Any) -> str:
    """The schema with everything that it refers to."""
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": name, **msgspec.json.schema(root)}
    return msgspec.json.format(msgspec.json.encode(schema, order="sorted")).decode() + "\n"


def _table(kinds: tuple[type[Struct], ...]) -> str:
    _, parts = msgspec.json.schema_components(kinds)
    rows = []
    for kind in kinds:
        schema = parts[kind.__name__]
        tag = kind.__struct_config__.tag
        rows += [f"**`{tag or kind.__name__}`** {' '.join(schema['description'].split())}", ""]
        fields = {key: field for key, field in schema["properties"].items() if not (tag and key == "type")}
        if fields:
            rows += ["| field | type | default | |", "|---|---|---|---|"]
            rows += [_row(name, field, name in schema["required"]) for name, field in fields.items()] + [""]
    return "\n".join(rows)


def _row(name: str, field: dict[str, Any], required: bool) -> str:
    given = field.get("default")
    default = "required" if required else "" if given is None else f"`{msgspec.json.encode(given).decode()}`"
    return f"| `{name}` | {_type(field)} | {default} | {field.get('description', '')} |"


def _type(field: dict[str, Any]) -> str:
    """A schema's type in a few words."""
    if "$ref" in field:
        return f"`{str(field['$ref']).rsplit('/', 1)[1]}`"
    if "discriminator" in field:
        return "action"
    if "anyOf" in field:
        return " or ".join(_type(option) for option in field["anyOf"] if option != {"type": "null"})
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "prefixItems" in field:
        return f"[{', '.join(_type(item) for item in field['prefixItems'])}]"
    if field.get("items"):
        return f"list of {_type(field['items'])}"
    bounds = [f"{sign} {field[key]}" for key, sign in _BOUNDS.items() if key in field]
    return " ".join([str(field.get("type", "any")), *([f"({', '.join(bounds)})"] if bounds else [])])


_BOUNDS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def write(docs: Path = DOCS) -> None:
    """Write everything in its place."""
    (docs / "schemas").mkdir(parents=True, exist_ok=True)
    for name, text in schemas().items():
        (docs / "schemas" / name).write_text(text)
    path = docs / "protocol.md"
    path.write_text(page(path.read_text()))


if __name__ == "__main__":
    write()
