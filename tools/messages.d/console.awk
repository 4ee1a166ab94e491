# Prints the texts of JavaScript and HTML files as `console<tab>file:line: text`: string and template literals, and the
# text between tags. A single word counts if it begins with a capital.

FILENAME ~ /\.html$/ {
    line = $0
    while (match(line, />[^<>]+</) || match(line, /(title|placeholder|aria-label|alt|content)="[^"]+"/)) {
        show(substr(line, RSTART + 1, RLENGTH - 2))
        line = substr(line, RSTART + RLENGTH - 1)
    }
    next
}

{
    line = $0
    sub(/^ *(\/\/|\*|\/\*).*/, "", line)
    while (match(line, /"([^"\\]|\\.)*"|`([^`\\]|\\.)*`/)) {
        show(substr(line, RSTART + 1, RLENGTH - 2))
        line = substr(line, RSTART + RLENGTH)
    }
}

function show(text) {
    if (text ~ /[A-Za-z0-9})][,.:;]? +[($A-Za-z]/ || text ~ /^[A-Z][a-z’']+[.:…]?$/) print "console\t" FILENAME ":" FNR ": " text
}
