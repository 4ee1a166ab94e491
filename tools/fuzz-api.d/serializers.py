"""How schemathesis writes bodies of media types that it does not know, and judges members that are not described."""

import schemathesis


# Schemas that list only some of the members: exports, and those of the product APIs.
PARTIAL = ("Export", "ExploredHome", "SavePage", "VideoSegment", "RecommendedVideo")
PRODUCTS = ("VistaVid", "Social", "FitStream", "ReelAI", "FitFocus", "VideoError")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Closes the objects of `/v1`, so that a member that the document lacks is a finding.

    In the document those of answers are open, because clients must accept members of later versions.
    """
    for name, schema in raw_schema["components"]["schemas"].items():
        if name not in PARTIAL and not name.startswith(PRODUCTS):
            close(schema)


def close(value):
    """Closes each object that lists its members, but for those that compose others."""
    if isinstance(value, list):
        for inner in value:
            close(inner)
    if isinstance(value, dict):
        if isinstance(value.get("properties"), dict) and "type" in value:
            value.setdefault("additionalProperties", False)
        for name, inner in value.items():
            if name not in ("example", "examples"):
                close(inner)


@schemathesis.serializer("application/x-subrip", "text/vtt")
def subtitles(_context, value):
    return value if isinstance(value, bytes) else str(value).encode()
