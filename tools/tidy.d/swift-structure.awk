# Follows braces and declarations: how long functions are, and which test suites have a time limit.

function structure_reset(   level) {
    for (level = 0; level <= 200; level++) {
        delete function_line[level]
        delete type_name[level]
    }
    braces = parens = 0
    pending_function = 0
    pending_type = ""
    attribute = ""
    suite_attribute = suite_limit = test_limit = 0
}

# Reads `code`, token by token.
function follow_structure(   rest, token, before, after) {
    rest = code
    before = ""
    while (match(rest, /[{}()]|@?[A-Za-z_][A-Za-z0-9_]*/)) {
        token = substr(rest, RSTART, RLENGTH)
        if (RSTART > 1) before = substr(rest, RSTART - 1, 1)
        after = substr(rest, RSTART + RLENGTH)
        if (token == "(") parens++
        else if (token == ")") parens--
        else if (token == "{") open_brace()
        else if (token == "}") close_brace()
        else if (before == ".") {
            if (token == "timeLimit" && attribute == "suite") suite_limit = 1
            if (token == "timeLimit" && attribute == "test") test_limit = 1
        } else if (before != "`") declaration(token, after)
        before = substr(token, length(token))
        rest = after
    }
}

function declaration(token, after) {
    if (token == "@Suite") {
        attribute = "suite"
        suite_attribute = 1
    } else if (token == "@Test") {
        attribute = "test"
        test_limit = 0
    } else if (token == "func" || token == "deinit" || (token == "init" && after ~ /^[?!]?[(<]/)) {
        if (token == "func" && attribute == "test") note_test(after)
        pending_function = FNR
        function_parens = parens
        function_braces = braces
    } else if (token ~ /^(struct|class|actor|enum|extension)$/ && match(after, /^ +[A-Z][A-Za-z0-9_.]*/)) {
        pending_type = substr(after, 1, RLENGTH)
        gsub(/^ +|^.*\./, "", pending_type)
        pending_is_extension = token == "extension"
        pending_line = FNR
        type_parens = parens
        pending_suite = suite_attribute
        pending_limit = suite_limit
        attribute = ""
        suite_attribute = suite_limit = 0
    }
}

function open_brace() {
    braces++
    if (pending_type != "" && parens == type_parens) open_type()
    else if (pending_function && parens == function_parens) {
        function_line[braces] = pending_function
        pending_function = 0
    }
}

function close_brace(   length_) {
    if (braces in function_line) {
        length_ = FNR - function_line[braces] + 1
        if (length_ > ENVIRON["MAX_FUNCTION_LINES"] + 0)
            report("function-length", function_line[braces], length_ " lines: split it; at most " \
                ENVIRON["MAX_FUNCTION_LINES"])
        delete function_line[braces]
    }
    if (braces in type_name) {
        if (type_suite[braces] && type_limit[braces] != "yes") want_limit(type_line[braces], type_limit[braces])
        delete type_name[braces]
    }
    if (braces > 0) braces--
    if (braces < function_braces) pending_function = 0 # a protocol requirement has no body
}

# A limit is inherited by nested suites. "yes", "no", or the name of an extended type whose limit is known at the end.
function open_type(   enclosing) {
    enclosing = enclosing_type()
    type_name[braces] = pending_type
    type_line[braces] = pending_line
    type_suite[braces] = pending_suite && !pending_is_extension
    if (pending_limit) type_limit[braces] = "yes"
    else if (pending_is_extension) type_limit[braces] = "of " pending_type
    else type_limit[braces] = enclosing ? type_limit[enclosing] : "no"
    if (type_limit[braces] == "yes") limited_type[pending_type] = 1
    pending_type = ""
}

function enclosing_type(   level) {
    for (level = braces; level > 0; level--) if (level in type_name) return level
    return 0
}

function note_test(after,   enclosing) {
    enclosing = enclosing_type()
    check_test_name(after, enclosing)
    if (enclosing) type_suite[enclosing] = 1
    else if (!test_limit) want_limit(FNR, "no")
    attribute = ""
}

# `after` follows the word func.
function check_test_name(after, enclosing) {
    if (path !~ /^Tests\//) return
    if (after !~ /^ +`[^`]* [^`]*`/) report("test-name", FNR, "name the test by a sentence: func `a sentence in words`()")
    if (enclosing && type_name[enclosing] !~ /Tests$/)
        report("test-name", FNR, "call the suite " type_name[enclosing] "Tests")
}

function want_limit(line, limit) {
    if (path !~ /^Tests\//) return
    if (limit == "no") report("time-limit", line, time_limit_message())
    else {
        deferred++
        deferred_path[deferred] = path
        deferred_line[deferred] = line
        deferred_type[deferred] = substr(limit, 4)
    }
}

function time_limit_message() { return "give the suite a .timeLimit(.minutes(n))" }

# Suites that are extensions take their limit from a type that may stand in another file.
function structure_end(   i) {
    for (i = 1; i <= deferred; i++) {
        if (deferred_type[i] in limited_type) continue
        path = deferred_path[i]
        report("time-limit", deferred_line[i], time_limit_message())
    }
}
