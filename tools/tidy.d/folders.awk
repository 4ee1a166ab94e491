# Finds folders of one target that need each other, by the types that they name. Files directly in the target's folder
# compose it or are shared by all its folders, and are left out. A folder within a folder is a part of it.
#
# docs/design/folders.md has a row for each target where folders may, under the heading "Folders that need each other":
# `Sources/Target`, the number of its folders in cycles, the reason. Reports targets without a row, or with more folders.

function report(rule, line, message) { printf "%s:%d: %s: %s\n", path, line, rule, message }

function read_map(map,   line, inside, cells) {
    while ((getline line <map) > 0) {
        if (line ~ /^##+ /) inside = line ~ /^##+ Folders that need each other$/
        if (inside && split(line, cells, "|") > 3 && match(cells[2], /Sources\/[A-Za-z]+/))
            allowed[substr(cells[2], RSTART, RLENGTH)] = cells[3] + 0
    }
    close(map)
}

function note_types(   rest, word) {
    if (depth == 0 && match(code, /(^|[ @a-z]* )(struct|class|actor|enum|protocol|typealias) +[A-Z][A-Za-z0-9_]*/)) {
        word = substr(code, RSTART, RLENGTH)
        sub(/.* /, "", word)
        if (!(word in home)) home[word] = folder
        else if (home[word] != folder) shared[word] = 1
    }
    rest = code
    while (match(rest, /[A-Za-z_.][A-Za-z0-9_]*/)) {
        word = substr(rest, RSTART, RLENGTH)
        if (word ~ /^[A-Z]/) used[folder, word] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    depth += gsub(/[{(]/, "", code) - gsub(/[})]/, "", code)
}

function reach(from, at,   other) {
    for (other in target)
        if (((at, other) in needs) && !((from, other) in reached)) {
            reached[from, other] = 1
            reach(from, other)
        }
}

BEGIN { read_map("docs/design/folders.md") }

FNR == 1 {
    lexer_reset()
    depth = 0
    sub(/^\.\//, "", FILENAME)
    inside_folder = split(FILENAME, parts, "/") > 3 && parts[1] == "Sources"
    folder = parts[1] "/" parts[2] "/" parts[3]
    if (inside_folder) target[folder] = parts[1] "/" parts[2]
}

inside_folder {
    lex($0)
    note_types()
}

END {
    for (pair in used) {
        split(pair, parts, SUBSEP)
        word = parts[2]
        if ((word in home) && !(word in shared) && home[word] != parts[1] && target[home[word]] == target[parts[1]])
            needs[parts[1], home[word]] = 1
    }
    for (folder in target) reach(folder, folder)
    for (folder in target)
        if ((folder, folder) in reached) {
            cyclic[target[folder]]++
            names[target[folder]] = names[target[folder]] " " folder
        }
    path = "docs/design/folders.md"
    for (name in cyclic)
        if (cyclic[name] > allowed[name])
            report("folder-cycle", 1, cyclic[name] " folders of " name " need each other, the map allows " \
                allowed[name] + 0 ":" names[name])
}
