# Prints the texts in Swift files as `kind<tab>file:line: text`. Needs lex() of swift-lexer.awk. A literal is a text if
# it has two words and is neither SQL nor Lua; literals joined by `+` are one text.

FNR == 1 {
    finish()
    lexer_reset()
    kind = "errors"
    previous = ""
    inside = 0
}

{
    was_inside = inside
    lex($0)
    inside = top && stack_kind[top] == "multiline"
    if (!was_inside && code !~ /^ *\+ *"/) {
        finish()
        kind = kind_of(code)
    }
    if (text ~ /[^ \n\002]/) {
        if (pending == "") start = FNR
        if (was_inside) pending = pending " "
        add(text)
    }
    sub(/ +$/, "", code)
    if (code != "") previous = code
    file = FILENAME
}

END { finish() }

# The kind of the texts on a line: by the call or the argument on it, or on the line before if that one goes on here.
function kind_of(code) {
    if (code ~ /(precondition|preconditionFailure|fatalError|assert)\(/) return "programmers"
    if (code ~ /logger\??\.(trace|debug|info|notice|warning|error|critical|log)\(/) return "logs"
    if (code ~ /(help|abstract|discussion|valueName|usage): *(ArgumentHelp\(|\.init\()? *("|$)/) return "help"
    if (code ~ /(ArgumentHelp|CommandConfiguration\.moderation|^ *\.moderation)\(/) return "help"
    return previous ~ /[(+:,]$/ && code ~ /^ *"/ ? kind : "errors"
}

function add(part) {
    if (pending ~ /\002$/) pending = substr(pending, 1, length(pending) - 1)
    pending = pending part
}

function finish(   parts, count, i) {
    count = split(pending, parts, "\002")
    for (i = 1; i <= count; i++) {
        gsub(/[ \n]+/, " ", parts[i])
        gsub(/^ | $/, "", parts[i])
        if (readable(parts[i])) print kind "\t" file ":" start ": " parts[i]
    }
    pending = ""
}

function readable(part,   sql) {
    sql = "(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|VALUES|WHERE|FROM|ORDER BY|BEGIN|SAVEPOINT|JOIN|GROUP BY|LIMIT|"
    sql = sql "IS NULL|AND|OR|UNION|PRIMARY KEY|NOT NULL|REFERENCES|CONFLICT)( |$)"
    return part ~ /[A-Za-z)"'][,.:;]? +[("'`]*[A-Za-z]/ && part !~ sql && part !~ /redis\.call|call\('/
}
