# Rules for every text file, whatever its language. Columns are characters: UTF-8 continuation bytes do not count.

function report(rule, line, message) { printf "%s:%d: %s: %s\n", path, line, rule, message }

function columns(line) {
    if (line ~ /[\200-\277]/) gsub(/[\200-\277]/, "", line)
    return length(line)
}

function begin_file() {
    path = FILENAME
    sub(/^\.\//, "", path)
    max_columns = 0
    is_swift = path ~ /\.swift$/
    is_prose = path ~ /\.md$/ || path == "LICENSE"
    in_product = path ~ /^(Sources|loadtests)\//
    if (is_swift) max_columns = ENVIRON["MAX_SWIFT_COLUMNS"]
}

function is_script(first_line) {
    return path ~ /(^|\/)Makefile$|\.(sh|awk|mk)$/ || first_line ~ /^#!/
}

function end_file() {
    if (blank && lines > 1) report("blank-end", lines, "remove the blank lines at the end")
    if (in_product && lines > ENVIRON["MAX_FILE_LINES"] + 0)
        report("file-length", lines, "split the file by topic: at most " ENVIRON["MAX_FILE_LINES"] " lines")
}

FNR == 1 {
    if (NR > 1) end_file()
    begin_file()
    if (!max_columns && is_script($0)) max_columns = ENVIRON["MAX_SCRIPT_COLUMNS"]
    if ($0 ~ /^[ \t\r]*$/) report("blank-start", 1, "remove the blank lines at the start")
}

{
    lines = FNR
    blank = $0 ~ /^[ \t\r]*$/
}

/[ \t\r]$/ { report("trailing-space", FNR, "remove the white space at the end of the line") }

is_swift && /\t/ { report("tab", FNR, "indent with spaces; write \\t in a string") }

max_columns && length($0) > max_columns + 0 && columns($0) > max_columns + 0 {
    report("line-length", FNR, columns($0) " columns: at most " max_columns)
}

# The patterns are spelt so that they do not match themselves.
!is_prose && /(^|[^A-Za-z0-9_])(TO[D]O|FIX[M]E|X[X]X)([^A-Za-z0-9_]|$)/ {
    report("unfinished", FNR, "finish it, or open an issue and say here what holds today")
}

# Swift under Sources and loadtests has a stricter rule of its own, on string literals.
!(is_swift && in_product) && /(^|[^A-Za-z0-9_.}\/-])\/(work|root)\// {
    report("machine-path", FNR, "name paths relative to the repository or the data directory")
}

END { if (NR) end_file() }
