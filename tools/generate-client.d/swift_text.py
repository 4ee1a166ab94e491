"""Pieces of Swift source."""

import textwrap

HEADER = "// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.\n"
# A few less than the limit: items of lists are indented further.
COLUMNS = 116


def documentation(text, indent=0, bullet=""):
    """A comment of the document's text, wrapped. `bullet` opens its first line."""
    prefix = " " * indent + "///"
    lines = []
    for number, paragraph in enumerate(paragraphs(text)):
        if number:
            lines.append(prefix)
        first = f"{prefix} {bullet}" if not number else f"{prefix} {' ' * (2 if bullet else 0)}"
        rest = f"{prefix} {'  ' if bullet else ''}"
        wrapped = textwrap.wrap(
            paragraph, COLUMNS, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
        )
        lines += wrapped
    return "".join(line + "\n" for line in lines)


def paragraphs(text):
    return [" ".join(one.split()) for one in text.strip().split("\n\n") if one.strip()]


def literal(text):
    escaped_text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped_text}"'
