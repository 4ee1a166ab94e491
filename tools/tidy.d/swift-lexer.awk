# Splits a line of Swift. lex(line) sets
#   code    the line without comments; each literal is reduced to its quotes, and interpolated code stays in parentheses
#   text    the content of string literals; literals of one line are separated by \002, an interpolation reads ()
#   remark  the content of comments
# A comment, multi-line string or interpolation that is open at the end of a line is kept on a stack for the next one.

function lexer_reset() { top = 0 }

function lexer_push(kind, hashes) {
    top++
    stack_kind[top] = kind
    stack_hashes[top] = hashes
    stack_parens[top] = 0
}

function lex(line) {
    code = text = remark = ""
    while (line != "") {
        if (top && stack_kind[top] == "comment") line = lex_comment(line)
        else if (top && stack_kind[top] != "interpolation") line = lex_string(line)
        else line = lex_code(line)
    }
    if (top && stack_kind[top] == "multiline") text = text "\n"
    if (top && stack_kind[top] == "string") top-- # not Swift, or a regex literal: do not let it swallow the file
}

function lex_comment(line) {
    if (!match(line, /\/\*|\*\//)) {
        remark = remark line
        return ""
    }
    remark = remark substr(line, 1, RSTART - 1)
    if (substr(line, RSTART, 1) == "/") lexer_push("comment", "")
    else top--
    return substr(line, RSTART + 2)
}

function lex_code(line,   token, rest) {
    if (!match(line, /#*"|#+\/|\/\/|\/\*|[()]/)) {
        code = code line
        return ""
    }
    code = code substr(line, 1, RSTART - 1)
    token = substr(line, RSTART, RLENGTH)
    rest = substr(line, RSTART + RLENGTH)
    if (token == "//") {
        remark = remark rest
        return ""
    }
    if (token == "/*") {
        lexer_push("comment", "")
        return rest
    }
    if (token ~ /"$/) {
        code = code "\""
        if (substr(rest, 1, 2) == "\"\"") {
            lexer_push("multiline", substr(token, 1, length(token) - 1))
            return substr(rest, 3)
        }
        lexer_push("string", substr(token, 1, length(token) - 1))
        return rest
    }
    if (token ~ /^#/) return match(rest, /\/#+/) ? substr(rest, RSTART + RLENGTH) : rest # extended regex literal
    code = code token
    if (top) {
        if (token == "(") stack_parens[top]++
        else if (stack_parens[top]-- == 0) top-- # closes the interpolation
    }
    return rest
}

function lex_string(line,   hashes, quotes, found) {
    if (!match(line, /[\\"]/)) {
        text = text line
        return ""
    }
    hashes = stack_hashes[top]
    text = text substr(line, 1, RSTART - 1)
    found = substr(line, RSTART, 1)
    line = substr(line, RSTART + 1)
    if (found == "\\" && substr(line, 1, length(hashes)) == hashes) {
        line = substr(line, length(hashes) + 1)
        if (substr(line, 1, 1) == "(") {
            code = code "("
            text = text "()"
            lexer_push("interpolation", "")
        } else text = text " "
        return substr(line, 2)
    }
    quotes = (stack_kind[top] == "multiline" ? "\"\"" : "") hashes
    if (found == "\"" && substr(line, 1, length(quotes)) == quotes) {
        code = code "\""
        text = text "\002"
        top--
        return substr(line, length(quotes) + 1)
    }
    text = text found
    return line
}
