# Sourced by tools/check-docs. Checks a small repository of good and bad documents and compares every finding.

# Writes standard input to a file; further arguments are the findings expected in it, as line:rule.
document() { # path line:rule...
    local path=$1 finding
    shift
    mkdir -p "$(dirname "$path")"
    cat >"$path"
    for finding in "$@"; do echo "$path:${finding/:/: }" >>"$scratch/expected"; done
}

link_cases() {
    document docs/target.md <<'MD'
# A heading — with `code` & more (twice)
## Twice
## Twice
### [Linked](target.md) heading_x
<a id="by-hand"></a>
```
# not a heading
```
MD
    document docs/links.md 2:link 3:link 4:link 5:anchor 6:anchor 7:anchor 8:link 9:link 10:anchor 11:link <<'MD'
[a](target.md) ![b](../Makefile) [c](<target.md>) [d](target.md "title") [e](https://host/x) [f](mailto:a@b)
[a](missing.md)
[`code`](missing.md) and [b](target.md)
[a](../../outside.md)
[a](target.md#not-a-heading)
[a](#nowhere)
[a](target.md#twice-2)
[two](target.md) on a line [three](missing-too.md)
[reference]: missing.md
[a](../Makefile#L9000)
[a](/docs/missing.md)
[a](target.md#a-heading--with-code--more-twice) [b](target.md#twice) [c](target.md#twice-1) [d](target.md#by-hand)
[a](target.md#linked-heading_x) [b](../Makefile#L1) [c](/docs/target.md) [d](#here) `[e](missing.md)` [f](with%20space.md)
# Here
```
[a](missing.md)
```
MD
    echo text | document "docs/with space.md"
}

code_cases() {
    document docs/code.md 2:path 3:path 4:path 5:path 6:make-target 9:path 10:make-target 11:make-target 11:path <<'MD'
`docs/target.md` `docs/` `docs/target.md:3` `docs/*.md` `docs/{target,links}.md` `docs/<name>.md` `Other/missing`
`docs/missing.md`
`docs/*.none` is a pattern
`docs/{target,missing}.md`
``tools/missing --flag`` and `docs/run/made-by-a-run.txt`
`make nothing` but `make the-target` and make nothing
`let make = 1` and `$ make the-target FLAG=1 -j2 > docs/run/log`
```sh
tools/missing2 --self-test
CI=1 make wrong
cd x && make the-target other-wrong && ./docs/missing4 # make nothing docs/missing5
```
MD
}

index_cases() {
    local summary=$'# A\n\n* **Question**: q\n* **Choice**: c\n* **Reason**: r\n* **Figure**: f\n* **Read on** to'
    document docs/decisions/0001-listed.md <<<"$summary"
    document docs/decisions/0002-unlisted.md 1:unlisted <<<"$summary"
    document docs/decisions/0003-short.md 6:summary 7:summary <<<"${summary%Figure*}"
    document docs/decisions/README.md <<<'[one](0001-listed.md) [three](0003-short.md)'
    document docs/design/unlisted.md 1:unlisted </dev/null
    document docs/measurements/data.csv 1:unlisted </dev/null
    document docs/measurements/listed.md </dev/null
    document docs/elsewhere.md <<<'[not an index](decisions/0002-unlisted.md)'
    document README.md <<<'[one](docs/measurements/listed.md)'
}

guide_cases() {
    document docs/operations/install.md 5:unrun 9:unrun <<'MD'
## Run here
```sh
true
```
## Run nowhere
  ```sh
  true
  ```
## Longer than the test
```sh
true
```
```sh
true
```
MD
    document tools/system/package <<<"expect_blocks 'Run here' 1"$'\n'"expect_blocks 'Longer than the test' 1"
}

self_test() {
    local rules untested
    unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    : >"$scratch/expected"
    mkdir "$scratch/repository"
    cd "$scratch/repository"
    git -c init.defaultBranch=main init -q
    printf 'the-target:\n\ttrue\nnothing-else := 1\n' >Makefile
    echo '/docs/run/' >.gitignore
    link_cases
    code_cases
    index_cases
    guide_cases
    findings | cut -d: -f1-3 | sort >"$scratch/found"
    sort -o "$scratch/expected" "$scratch/expected"
    if ! diff -u --label expected --label found "$scratch/expected" "$scratch/found"; then
        echo "check-docs: self-test failed" >&2
        exit 1
    fi
    rules=$(grep -ohE '\breport [a-z-]+' "$here/check-docs" | cut -d' ' -f2 | sort -u)
    untested=$(comm -23 <(echo "$rules") <(cut -d' ' -f2 "$scratch/expected" | sort -u))
    if [[ -n $untested ]]; then
        echo "check-docs: no self-test for: $untested" >&2
        exit 1
    fi
    echo "check-docs: self-test passed ($(wc -l <<<"$rules") rules)"
}
