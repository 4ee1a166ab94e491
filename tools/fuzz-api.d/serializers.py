"""How schemathesis writes bodies of media types that it does not know."""

import schemathesis


@schemathesis.serializer("application/x-subrip", "text/vtt")
def subtitles(_context, value):
    return value if isinstance(value, bytes) else str(value).encode()
