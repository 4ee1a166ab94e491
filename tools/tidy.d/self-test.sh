# Sourced by tools/tidy. Builds repositories of offenders and of clean files, and compares the findings with the expected
# ones. A rule that stays quiet, fires elsewhere or has no offender here fails the self-test.

# shellcheck source=tools/tidy.d/self-test-swift.sh
source "$here/tidy.d/self-test-swift.sh"

# Words that tools/tidy would find in this file are written in two pieces.
unfinished="TO""DO"
machine="/wo""rk/"

# Writes standard input to a file in which `rule` must fire, once for each further argument (a line number).
offends() { # rule path line...
    local rule=$1 path=$2 line
    shift 2
    accepts "$path"
    for line in "$@"; do printf '%s:%d: %s\n' "$path" "$line" "$rule" >>"$expected"; done
}

# Writes standard input to a file without findings.
accepts() { # path
    mkdir -p "$(dirname "$1")"
    cat >"$1"
}

repeat() { # count text
    local i
    for ((i = 0; i < $1; i++)); do printf '%s\n' "$2"; done
}

new_repository() {
    local entry
    repository=$(mktemp -d "$scratch/repository.XXXXXX")
    expected=$repository.expected
    : >"$expected"
    cd "$repository"
    git -c init.defaultBranch=main init -q
    for entry in "${HOT_PATHS[@]}"; do
        [[ $entry == *.swift ]] || entry=$entry/Clean.swift
        accepts "$entry" <<<'struct Clean {}'
    done
}

# Compares the findings with the expected ones, and records the rules that fired.
compare() { # name
    local actual=$repository.actual
    findings | cut -d: -f1-3 | sort >"$actual"
    sort -o "$expected" "$expected"
    cut -d' ' -f2 "$expected" >>"$scratch/fired"
    if ! diff -u --label "$1: expected" --label "$1: found" "$expected" "$actual"; then return 1; fi
}

text_cases() {
    repeat 401 '// line' | offends file-length Sources/Long.swift 401
    repeat 401 'line' | offends file-length loadtests/long.txt 401
    repeat 400 '// line' | accepts Sources/NotLong.swift
    repeat 401 '// line' | accepts Tests/Long.swift
    printf '// %0118d\n' 0 | offends line-length Sources/Wide.swift 1
    printf '// %0117d\n' 0 | accepts Sources/NotWide.swift
    printf '// %099d%s\n' 0 'ääääääääääääääääää' | accepts Sources/NotWideButUTF8.swift
    printf 'all:\n\t%0160d\n' 0 | offends line-length Makefile 2
    printf '#!/bin/sh\n# %0159d\n' 0 | offends line-length tools/wide 2
    printf '%0200d\n' 0 | accepts docs/wide.md
    printf '\nlet a = 1\n' | offends blank-start Sources/BlankStart.swift 1
    printf 'let a = 1\n\n' | offends blank-end Sources/BlankEnd.swift 2
    printf 'let a = 1' | offends final-newline Sources/NoNewline.swift 1
    printf 'a \n' | offends trailing-space docs/space.md 1
    printf 'a\r\n' | offends trailing-space docs/return.md 1
    printf 'if true {\n\tf()\n}\n' | offends tab Sources/Tab.swift 2
    printf 'a \n\n' | accepts Tests/Fixtures/input.txt
    printf '\000 \n\n' | accepts docs/binary.png
    printf '' | accepts docs/.gitkeep
    echo "// $unfinished: more" | offends unfinished Sources/Unfinished.swift 1
    echo "# $unfinished" | offends unfinished tools/unfinished.sh 1
    echo 'mktemp -d /tmp/aXXXXXX' | accepts tools/temporary.sh
    echo "see ${machine}notes" | offends machine-path docs/machine.md 1
    for name in root work home; do echo "curl http://host/$name/x; ls a/$name/b" | accepts docs/urls.md; done
    for name in StringUtils.swift Helpers/A.swift Core.swift SessionManager.swift Database+Helper.swift managers/a.txt; do
        echo '// a' | offends file-name "Sources/$name" 1
    done
    for name in Score.swift CorePlan.swift Manage.swift; do echo '// a' | accepts "Sources/$name"; done
}

length_cases() {
    {
        echo 'struct A {'
        echo '    func long('
        echo '        a: () -> Void = {}'
        echo '    ) {'
        repeat 67 '        if x { y() }'
        echo '    }'
        echo '    init(a: Int) {'
        repeat 68 '        let text = "}"'
        echo '    }'
        echo '    deinit {'
        repeat 69 '        // }'
        echo '    }'
        echo '}'
    } | offends function-length Sources/LongFunctions.swift 2 143
    {
        echo 'protocol A {'
        echo '    func a()'
        echo '}'
        echo 'struct B {'
        repeat 80 '    let b = 1'
        echo '}'
    } | accepts Sources/ShortFunctions.swift
}

fence_cases() {
    local hot=${HOT_PATHS[0]}
    [[ $hot != *.swift ]] || hot=$(dirname "$hot")
    printf 'import Foundation\n' | offends hot-foundation "$hot/Foundation.swift" 1
    printf 'internal import struct FoundationEssentials.Date\n' | offends hot-foundation "$hot/Essentials.swift" 1
    printf 'import FoundationNetworking\n// import Foundation\n' | accepts "$hot/OtherImport.swift"
    printf 'import Foundation\n' | accepts "${HOT_PATH_EXCEPTIONS%\*}Process.swift"
    printf 'import Foundation\n' | accepts Sources/Cold.swift
    printf '@preconcurrency import GRDB\n' | offends grdb-fence Sources/SocialGraph/Posts.swift 1
    printf 'import GRDB\n' | accepts "$GRDB_DIRECTORIES/Driver.swift"
    printf 'import CPQ\n' | offends libpq-fence Sources/PostgreSQL/Driver.swift 1
    printf 'import CPQ\n' | accepts "$LIBPQ_DIRECTORIES/Connection.swift"
    printf 'import CHiredis\n' | offends hiredis-fence Sources/Timeline/Window.swift 1
    printf 'import CHiredis\n' | accepts "$HIREDIS_DIRECTORIES/Hiredis1.swift"
    printf 'private import CHiredis\n' | accepts "$HIREDIS_DIRECTORIES/Hiredis2.swift"
    printf 'import CHiredis\n' | accepts "$HIREDIS_DIRECTORIES/Hiredis3.swift"
    printf 'import CHiredis\n' | offends hiredis-spread "$HIREDIS_DIRECTORIES/Hiredis4.swift" 1
    offends sql-fence Sources/Timeline/Statements.swift 1 2 3 4 6 7 <<'SWIFT'
let a = "SELECT id FROM posts"
let b = "INSERT INTO posts VALUES (?1)"
let c = "UPDATE posts SET id = 1" // SELECT id
let d = "DELETE FROM posts"
let e = """
    SELECT
    \(columns), (SELECT 1)
    """
let redis = ["SELECT", "3"]
let prose = "Select an account, update it and delete from it"
SWIFT
    for path in Sources/SocialGraph/Statements.swift Sources/Discovery/Statements.swift Tests/Statements.swift; do
        sed -n 1,10p Sources/Timeline/Statements.swift | accepts "$path"
    done
    offends engine-sql Sources/SocialGraph/Engine.swift 1 2 3 4 5 6 7 8 <<'SWIFT'
let a = "PRAGMA foreign_keys"
let b = "id INTEGER PRIMARY KEY AUTOINCREMENT"
let c = "INSERT OR IGNORE INTO t"
let d = "REPLACE INTO t"
let e = "SELECT rowid FROM t"
let f = "WHERE a GLOB 'x*'"
let g = "datetime('now')"
let h = "json_each(?1)"
let prose = "arrowids, GLOBAL, ON CONFLICT DO UPDATE SET a = 1" // PRAGMA rowid
SWIFT
    for path in Sources/Database/SQLite/Engine.swift Sources/SocialGraph/Posts/PostTables.swift; do
        sed -n 1,9p Sources/SocialGraph/Engine.swift | accepts "$path"
    done
    offends sql-offset Sources/SocialGraph/Paging.swift 1 <<'SWIFT'
let a = "LIMIT ?1 OFFSET ?2"
let b = "an OFFSETTING word" // OFFSET 1
SWIFT
    offends machine-path Sources/Paths.swift 1 2 <<'SWIFT'
let a = "/tmp/x"
let b = f("a", "unix:/home/me")
let c = "/v1/timelines/home/x"
let d = "\(base)/tmp/x" // /tmp/x
SWIFT
    printf 'let a = "/tmp/x"\n' | accepts Tests/Paths.swift
}

product_cases() {
    printf '/.build*/\n*.db\nPackage.resolved\n' | accepts .gitignore
    printf 'x\n' | offends tracked-product Package.resolved 1
    printf 'x\n' | offends tracked-product data.db-wal 1
    printf 'x\n' | offends tracked-product .build-debug/a.txt 1
    printf 'x\n' | offends tracked-product redis.sock 1
    git add --force . 2>/dev/null
    printf 'x \n' | accepts ignored.db
    printf 'x \n' >"tracked then deleted.md"
    git add . && rm "tracked then deleted.md"
    printf '// a\n' | accepts 'Sources/a name=with oddities.swift'
    printf 'x \n' | offends trailing-space 'docs/a name=with oddities.md' 1
    if ((${#HOT_PATHS[@]})); then
        mv "${HOT_PATHS[0]}" moved-away
        printf '%s:1: hot-path-list\n' "${HOT_PATHS[0]}" >>"$expected"
    fi
}

folder_cases() {
    # Two folders name each other's types. The third names one in a comment and a text only. A part and its whole may.
    accepts Sources/Round/A/First.swift <<<'struct First { let second: Second? }'
    accepts Sources/Round/B/Second.swift <<<'struct Second { let firsts: [First] }'
    accepts Sources/Round/C/Third.swift <<<'let third = Second(firsts: []) // First'
    accepts Sources/Round/A/Part/Piece.swift <<<'struct Piece { let whole: First }'
    accepts Sources/Round/A/Whole.swift <<<'let pieces: [Piece] = []'
    accepts Sources/Round/Round.swift <<<'struct Round { let first: First }'
    accepts Sources/Straight/A/Fourth.swift <<<'struct Fourth {}'
    accepts Sources/Straight/B/Fifth.swift <<<'let fifth = [Fourth()] // Fifth'
    accepts Sources/Named/A/Sixth.swift <<<'struct Sixth { let seventh: Seventh? }'
    accepts Sources/Named/B/Seventh.swift <<<'struct Seventh { let sixth: Sixth? }'
    offends folder-cycle docs/design/folders.md 1 <<'MARKDOWN'
# Map
### Folders that need each other
| Target | Folders | Reason |
|---|---|---|
| `Sources/Named` | 2 | they are one |
| `Sources/Round` | 1 | too few |
MARKDOWN
}

self_test() {
    local group failed=0 untested
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    : >"$scratch/fired"
    for group in text_cases swift_cases comment_cases length_cases fence_cases folder_cases product_cases; do
        new_repository
        "$group"
        compare "$group" || failed=1
    done
    # The comparison itself must be able to fail.
    new_repository
    printf '// a\n' | offends tab Sources/Clean.swift 1
    if compare canary >/dev/null; then
        echo "tidy: the self-test accepts a rule that does not fire" >&2
        failed=1
    fi
    grep -ohE '\breport[ (]"?[a-z]+(-[a-z]+)*' "$here/tidy" "$here"/tidy.d/*.awk | sed 's/^report[ ("]*//' |
        grep -vx -e rule -e '' | sort -u >"$scratch/rules"
    untested=$(sort -u "$scratch/fired" | comm -13 - "$scratch/rules")
    if [[ -n $untested ]]; then
        printf 'tidy: no self-test for the rule %s\n' $untested >&2
        failed=1
    fi
    if ((failed)); then
        echo "tidy: self-test failed" >&2
        exit 1
    fi
    echo "tidy: self-test passed ($(wc -l <"$scratch/rules") rules)"
}
