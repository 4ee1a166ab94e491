# Prints the anchors of a Markdown document as GitHub derives them: headings in lower case, punctuation dropped, blanks as
# hyphens, repeated ones numbered; and the ids written in HTML.

function slug(heading) {
    while (match(heading, /\]\([^)]*\)/)) heading = substr(heading, 1, RSTART - 1) substr(heading, RSTART + RLENGTH)
    gsub(/^#+[ \t]+|[ \t]+#*[ \t]*$/, "", heading)
    heading = tolower(heading)
    gsub(/[!-,.\/:-@\[-^`{-~]/, "", heading)
    gsub(/\302[\240-\277]|\342[\200-\276][\200-\277]/, "", heading) # UTF-8 punctuation, arrows and signs
    gsub(/[ \t]/, "-", heading)
    return heading
}

/^ *(```|~~~)/ {
    fenced = !fenced
    next
}

fenced { next }

/^#+[ \t]/ {
    name = slug($0)
    print name (seen[name] ? "-" seen[name] : "")
    seen[name]++
}

{
    line = $0
    while (match(line, /(id|name)="[^"]+"/)) {
        name = substr(line, RSTART, RLENGTH - 1)
        sub(/^[a-z]+="/, "", name)
        print name
        line = substr(line, RSTART + RLENGTH)
    }
}
