# Lists the references of documents, one `kind<TAB>document<TAB>line<TAB>value` a line: links as written, paths of the
# repository in code spans and fenced code, and arguments of make.

function found(kind, value) { printf "%s\t%s\t%d\t%s\n", kind, path, FNR, value }

# Code: each word that starts like a path of this repository, and the arguments of `make`.
function code(text,   words, count, i, word) {
    gsub(/&&|\|\||[;|]/, " ; ", text)
    count = split(text, words, " ")
    making = 0
    for (i = 1; i <= count; i++) {
        word = words[i]
        if (word == "make" && (i == 1 || words[i - 1] ~ /^([;$]|[A-Z_]+=.*)$/)) {
            making = 1
            continue
        }
        if (word ~ /^[;#]/ || word ~ /^[0-9]*[<>]/) making = 0
        if (word ~ /^#/) return
        if (making && word ~ /^[a-z][A-Za-z0-9_-]*$/) found("make", word)
        sub(/^["'(]*(\.\/)?/, "", word)
        sub(/["'),.:]*$/, "", word)
        if (word ~ /^(Sources|Tests|docs|loadtests|tools|\.ci)\//) paths(word)
    }
}

# a{b,c}d stands for abd and acd.
function paths(word,   open, before, after, list, count, i) {
    open = index(word, "{")
    if (!open || !index(substr(word, open), "}")) {
        found("path", word)
        return
    }
    before = substr(word, 1, open - 1)
    after = substr(word, open + 1)
    count = split(substr(after, 1, index(after, "}") - 1), list, ",")
    after = substr(after, index(after, "}") + 1)
    for (i = 1; i <= count; i++) paths(before list[i] after)
}

# Removes code spans from the line (a span ends at as many backquotes as it starts with); returns the rest.
function without_spans(line,   rest, ticks, body, close_) {
    rest = ""
    while (match(line, /`+/)) {
        ticks = substr(line, RSTART, RLENGTH)
        rest = rest substr(line, 1, RSTART - 1)
        body = substr(line, RSTART + RLENGTH)
        close_ = index(body, ticks)
        if (!close_) {
            line = body
            continue
        }
        code(substr(body, 1, close_ - 1))
        rest = rest "x" # keeps [`name`](target) a link
        line = substr(body, close_ + length(ticks))
    }
    return rest line
}

function links(line,   target) {
    if (match(line, /^ *\[[^\]^][^\]]*\]: +/)) {
        found("link", address(substr(line, RSTART + RLENGTH)))
        return
    }
    while (match(line, /\]\([^()]*(\([^()]*\)[^()]*)*\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        if (target != "") found("link", address(target))
    }
}

# Removes the title and the angle brackets.
function address(target) {
    sub(/^ +/, "", target)
    if (target ~ /^</) return substr(target, 2, index(target, ">") - 2)
    sub(/[ \t].*$/, "", target)
    return target
}

FNR == 1 {
    path = FILENAME
    sub(/^\.\//, "", path)
    fence = ""
}

fence == "" && match($0, /^ *(```+|~~~+)/) {
    fence = substr($0, RSTART, RLENGTH)
    gsub(/ /, "", fence)
    next
}

fence != "" {
    line = $0
    gsub(/^ +| +$/, "", line)
    if (index(line, fence) == 1 && line ~ /^(`+|~+)$/) fence = ""
    else code(line)
    next
}

{ links(without_spans($0)) }
