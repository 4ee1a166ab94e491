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

/^ *(- )?(description|summary): / || /[{,] *(description|summary): / {
    open = 1
    indent = depth
    start = FNR
    text = $0
    # In a mapping on one line, the text goes on to the closing brace.
    if (text !~ /^ *(- )?(description|summary): /) sub(/ *}[ }]*$/, "", text)
    sub(/^( *(- )?|.*[{,] *)(description|summary): */, "", text)
    if (text ~ /^[|>][-+]?$/) text = ""
}

END { finish() }

function finish() {
    if (open && text != "") print "openapi\t" FILENAME ":" start ": " text
    open = 0
}
