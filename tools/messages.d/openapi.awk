# Prints the descriptions and summaries of an OpenAPI document in YAML as `openapi<tab>file:line: text`.

{
    match($0, /^ */)
    depth = RLENGTH
    if (open && (depth > indent || $0 ~ /^ *$/)) {
        line = $0
        sub(/^ +/, "", line)
        if (line != "") text = text (text == "" ? "" : " ") line
        next
    }
    finish()
}

# A text of its own. A property named description has a schema, and so a mapping, as its value.
/^ *(- )?(description|summary): [^{]/ {
    open = 1
    indent = depth
    start = FNR
    text = $0
    sub(/^ *(- )?(description|summary): */, "", text)
    if (text ~ /^[|>][-+]?$/) text = ""
    else text = unquoted(text)
    next
}

# A text in a mapping on one line.
{
    line = $0
    while (match(line, /[{,] *(description|summary): [^{]/)) {
        line = substr(line, RSTART + RLENGTH - 1)
        start = FNR
        text = line
        if (text !~ /^'/) sub(/(, [A-Za-z$]+:| *}).*/, "", text)
        text = unquoted(text)
        open = 1
        finish()
    }
}

END { finish() }

function unquoted(text) {
    if (text !~ /^'/) return text
    gsub(/''/, "\001", text)
    text = substr(text, 2, index(substr(text, 2), "'") - 1)
    gsub(/\001/, "'", text)
    return text
}

function finish() {
    if (open && text != "") print "openapi\t" FILENAME ":" start ": " text
    open = 0
}
