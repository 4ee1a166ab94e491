# The commands of docs/operations/install.md, for the programs in tools/system, which source this file. They run every block
# of a section as it is written there, but for the words in capitals. `guide` names another guide.
: "${guide:=docs/operations/install.md}"

# Prints the blocks of shell commands below a heading: the one with that number, or all of them.
blocks() { # heading [number]
    awk -v heading="## $1" -v number="${2:-0}" '
        /^## / { inside = $0 == heading }
        inside && /^ *```sh$/ { count++; indent = match($0, /`/); open = 1; next }
        /^ *```$/ { open = 0 }
        inside && open && (!number || count == number) { print substr($0, indent) }' "$guide"
}

# Fails unless a section has that many blocks: a new one needs a line in the test.
expect_blocks() { # heading count
    local found
    found=$(awk -v heading="## $1" '/^## / { inside = $0 == heading } inside && /^ *```sh$/ { count++ }
        END { print count + 0 }' "$guide")
    [[ $found == "$2" ]] || fail "section $1 of $guide has $found blocks of commands, and this test runs $2"
}
