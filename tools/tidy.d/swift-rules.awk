# Rules for Swift. `code`, `text` and `remark` of the line come from swift-lexer.awk.

function report(rule, line, message) { printf "%s:%d: %s: %s\n", path, line, rule, message }

function under(directories,   list, count, i) {
    count = split(directories, list, " ")
    for (i = 1; i <= count; i++) if (index(path, list[i] "/") == 1) return 1
    return 0
}

function imports(module) {
    return code ~ ("^ *((@[A-Za-z_]+(\\([a-z]+\\))?|public|package|internal|fileprivate|private) +)*import +" \
        "((struct|class|enum|protocol|typealias|func|let|var) +)?" module "([. ]|$)")
}

# A reason is a comment with a fixed word. It counts on its line, REASON_LINES further, and from the end of its block.
function note_reason(word) {
    if (index(remark, word) || (code ~ /^ *$/ && remark != "" && reason_line[word] == FNR - 1)) reason_line[word] = FNR
}

function has_reason(word) {
    return reason_line[word] && FNR - reason_line[word] <= ENVIRON["REASON_LINES"] + 0
}

function force_unwraps(   rest, after) {
    rest = code
    while (match(rest, /[A-Za-z0-9_)}"?`]!|\]!/)) {
        after = substr(rest, RSTART + 2)
        if (substr(after, 1, 1) != "=" && substr(rest, 1, RSTART) !~ /(^|[^A-Za-z0-9_])(try|as)$/) return 1
        rest = after
    }
    return 0
}

# A task whose handle is dropped stands where a statement starts: its value goes nowhere.
function drops_task(   start) {
    start = "(^|[{;] *|_ *= *|[{][^{}]* in +) *"
    if (code !~ (start "Task(\\.(init|detached|immediate|immediateDetached))?(<[^{]*>)? *[({]")) return 0
    return code !~ /^ *Task/ || previous_code !~ /([=(,:\[]|return|await) *$/
}

function check_unsafe_words() {
    if (in_product && code ~ /(^|[^A-Za-z0-9_])try!/) report("force-try", FNR, "handle the error or let it be thrown")
    if (in_product && code ~ /(^|[^A-Za-z0-9_])as!/) report("force-cast", FNR, "use as? and handle nil")
    if (in_product && force_unwraps()) report("force-unwrap", FNR, "use if let, guard let or ??")
    if (code ~ /@unchecked +Sendable|nonisolated\(unsafe\)/ && !has_reason("Proof:"))
        report("unproved-safety", FNR, "say above it why it is safe, in a comment with 'Proof:'")
    if (in_product && drops_task() && !has_reason("Proof:") && !has_reason("Owner:"))
        report("dropped-task", FNR, "use a task group, keep the handle, or name who ends it in a comment with 'Owner:'")
}

function check_imports() {
    if (code !~ /import/) return
    if (is_hot && (imports("Foundation") || imports("FoundationEssentials")))
        report("hot-foundation", FNR, "this path runs for every item: do without Foundation")
    if (imports("GRDB") && !under(ENVIRON["GRDB_DIRECTORIES"]))
        report("grdb-fence", FNR, "go through the database protocol; GRDB stays in " ENVIRON["GRDB_DIRECTORIES"])
    if (imports("CPQ") && !under(ENVIRON["LIBPQ_DIRECTORIES"]))
        report("libpq-fence", FNR, "go through the database protocol; CPQ stays in " ENVIRON["LIBPQ_DIRECTORIES"])
    if (!imports("CHiredis")) return
    if (!under(ENVIRON["HIREDIS_DIRECTORIES"]))
        report("hiredis-fence", FNR, "go through the Redis client; CHiredis stays in " ENVIRON["HIREDIS_DIRECTORIES"])
    else if (++hiredis_files > ENVIRON["MAX_HIREDIS_FILES"] + 0)
        report("hiredis-spread", FNR, "at most " ENVIRON["MAX_HIREDIS_FILES"] " files import CHiredis")
}

function check_sql() {
    if (text == "") return
    if (!under(ENVIRON["SQL_DIRECTORIES"]) && text ~ sql_statement)
        report("sql-fence", FNR, "SQL stays in " ENVIRON["SQL_DIRECTORIES"])
    if (!under(ENVIRON["ENGINE_SQL_DIRECTORIES"]) && FILENAME !~ /[A-Za-z]Tables\.swift$/ && (text ~ engine_word || tolower(text) ~ engine_name))
        report("engine-sql", FNR, "only SQLite has this: write portable SQL or move it to " \
            ENVIRON["ENGINE_SQL_DIRECTORIES"])
    if (in_product && text ~ /(^|[^A-Za-z0-9_])OFFSET[ \n]/) report("sql-offset", FNR, "page by keyset, not by OFFSET")
}

function check_literals() {
    # A path must not continue another one: "/v1/timelines/home/" and "\(base)/tmp/" are not paths of a machine.
    if (in_product && text ~ /(^|[^A-Za-z0-9_.)\/-])\/(work|root|home|tmp)\//)
        report("machine-path", FNR, "take paths from the configuration or the data directory")
}

function check_printing() {
    if (path !~ /^Sources\// || under(ENVIRON["PRINT_DIRECTORIES"]) || code ~ /func +print/) return
    if (code ~ /(^|[^A-Za-z0-9_.])(Swift\.)?(print|debugPrint)\(/)
        report("print", FNR, "log it, or print in " ENVIRON["PRINT_DIRECTORIES"])
}

function check_tests() {
    if (path !~ /^Tests\//) return
    if (code ~ /\.disabled\(|\.enabled\(if|XCTSkip/) report("skipped-test", FNR, "a test runs everywhere: remove the condition")
    if (code ~ /@(Test|Suite)\("/ || (previous_code ~ /@(Test|Suite)\($/ && code ~ /^ *"/))
        report("test-name", FNR, "a test or suite has a name and no title beside it")
    if (code ~ /(^|[^A-Za-z0-9_])u?sleep\(/ && code !~ /func +sleep/ && !has_reason("Not for synchronisation:"))
        report("test-sleep", FNR, "wait for the event, or say in a comment 'Not for synchronisation:' and why")
}

# Only the first line of a block of `//` or `///` counts: a sentence may wrap before any word.
function check_comment_opening(   kind, words) {
    kind = match($0, /^ *\/\/\/?/) && !is_inside ? substr($0, 1, RLENGTH) : ""
    sub(/^ */, "", kind)
    if (kind != "" && kind != previous_comment && path ~ /^(Sources|Tests|loadtests)\//) {
        words = substr($0, RLENGTH + 1)
        if (match(words, /^ *(What|Of|Whom|Whoever|Whose|How|Where|Which|Whether)([^A-Za-z0-9_]|$)/))
            report("comment-opening", FNR, "open with a noun phrase (\"The newest posts\") or a verb (\"Returns\")")
    }
    previous_comment = kind
}

BEGIN {
    sql_statement = "(^|[^A-Za-z0-9_])(SELECT[ \n]|INSERT (OR [A-Z]+ )?INTO[ \n]|DELETE FROM[ \n]" \
        "|UPDATE [A-Za-z_()]+( SET[ \n]|\n))"
    engine_word = "(^|[^A-Za-z0-9_])(PRAGMA[ \n]|AUTOINCREMENT([^A-Za-z0-9_]|$)|INSERT OR |REPLACE INTO|GLOB[ \n])"
    engine_name = "(^|[^a-z0-9_])(rowid([^a-z0-9_]|$)|datetime\\(|json_each)"
    count = split(ENVIRON["HOT_FILES"], names, "\n")
    for (i = 1; i <= count; i++) hot_file[names[i]] = 1
}

FNR == 1 {
    path = FILENAME
    sub(/^\.\//, "", path)
    in_product = path ~ /^(Sources|loadtests)\//
    is_hot = path in hot_file
    previous_code = previous_comment = ""
    for (word in reason_line) delete reason_line[word]
    lexer_reset()
    structure_reset()
}

{
    is_inside = top # a string or a comment of the lines above
    lex($0)
    check_comment_opening()
    note_reason("Proof:")
    note_reason("Owner:")
    note_reason("Not for synchronisation:")
    check_unsafe_words()
    check_imports()
    check_sql()
    check_literals()
    check_printing()
    check_tests()
    follow_structure()
    if (code !~ /^ *$/) previous_code = code
}

END { structure_end() }
