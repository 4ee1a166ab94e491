// A reader of YAML, as far as openapi.yaml uses it: block and flow collections, plain and quoted scalars over several
// lines, literal blocks. It has no anchors, tags or documents.

class Lines {
    constructor(text) {
        this.lines = text.split("\n");
        this.at = 0;
    }

    /// The indentation of the next line with content, or -1 at the end.
    get indent() {
        while (this.at < this.lines.length && /^\s*(#.*)?$/.test(this.lines[this.at])) this.at += 1;
        return this.at < this.lines.length ? this.lines[this.at].search(/\S/) : -1;
    }

    get content() { return this.lines[this.at].trim(); }
}

export function parseYAML(text) {
    return block(new Lines(text), 0);
}

function block(lines, least) {
    const indent = lines.indent;
    if (indent < least) return null;
    if (/^[{[]/.test(lines.content)) return value(lines, lines.content, least);
    return lines.content.startsWith("- ") ? sequence(lines, indent) : mapping(lines, indent);
}

function sequence(lines, indent) {
    const items = [];
    while (lines.indent === indent && lines.content.startsWith("- ")) {
        const rest = lines.content.slice(2);
        if (isEntry(rest)) {
            // A mapping whose first member stands behind the dash.
            lines.lines[lines.at] = " ".repeat(indent + 2) + rest;
            items.push(mapping(lines, indent + 2));
        } else {
            items.push(value(lines, rest, indent));
        }
    }
    return items;
}

function mapping(lines, indent) {
    const members = {};
    while (lines.indent === indent) {
        const [, key, rest] = entry(lines.content) ?? fail(lines);
        const name = /^['"]/.test(key) ? scalar(key) : key;
        if (rest === "") {
            lines.at += 1;
            // A sequence may stand at the indentation of its key.
            const deeper = lines.indent > indent || (lines.indent === indent && lines.content.startsWith("- "));
            members[name] = deeper ? block(lines, indent) : null;
        } else {
            members[name] = value(lines, rest, indent);
        }
    }
    return members;
}

function entry(text) { return text.match(/^('[^']*'|"[^"]*"|[^\s{[\]}'"#&*!|>%@`][^:]*):(?: +(.*))?$/)?.map((part) => part ?? ""); }
function isEntry(text) { return !/^[{['"]/.test(text) && entry(text) !== undefined; }
function fail(lines) { throw new Error(`openapi.yaml, line ${lines.at + 1}: ${lines.lines[lines.at]}`); }

/// Reads a value that begins behind a key or a dash of that indentation.
function value(lines, start, indent) {
    lines.at += 1;
    if (/^[|>][-+]?$/.test(start)) return literal(lines, start, indent);
    let text = start;
    while (lines.indent > indent && (isOpen(text) || !/^[{[]/.test(text))) {
        text += " " + lines.content;
        lines.at += 1;
    }
    return /^[{[]/.test(text) ? new Flow(text).value() : scalar(text);
}

/// True for a collection or a text whose end is on a later line.
function isOpen(text) {
    let [depth, quote] = [0, ""];
    for (const character of text) {
        if (quote) quote = character === quote ? "" : quote;
        else if (character === "'" || character === '"') quote = character;
        else if ("{[".includes(character)) depth += 1;
        else if ("}]".includes(character)) depth -= 1;
    }
    return depth > 0 || quote !== "";
}

function literal(lines, mark, indent) {
    const kept = [];
    let depth = null;
    while (lines.at < lines.lines.length) {
        const line = lines.lines[lines.at];
        const own = line.search(/\S/);
        if (own >= 0 && own <= indent) break;
        if (own >= 0) depth ??= own;
        kept.push(own < 0 ? "" : line.slice(depth));
        lines.at += 1;
    }
    const text = kept.join(mark[0] === "|" ? "\n" : " ").trimEnd();
    return mark.endsWith("-") ? text : text + "\n";
}

function scalar(text) {
    if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
    if (text.startsWith('"')) return JSON.parse(text);
    if (text === "null" || text === "~" || text === "") return null;
    if (text === "true" || text === "false") return text === "true";
    return /^[-+]?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : text;
}

/// Reads `{ a: 1, b: [x, 'y'] }`.
class Flow {
    constructor(text) {
        this.text = text;
        this.at = 0;
    }

    value() {
        this.skipBlanks();
        const first = this.text[this.at];
        if (first === "{") return this.members();
        if (first === "[") return this.items();
        return scalar(this.word(/[,}\]]/));
    }

    members() {
        const members = {};
        for (this.at += 1; !this.closes("}"); this.skip(",")) {
            const key = this.word(/:(?=[\s,}\]]|$)/);
            this.at += 1;
            members[/^['"]/.test(key) ? scalar(key) : key] = this.value();
        }
        return members;
    }

    items() {
        const items = [];
        for (this.at += 1; !this.closes("]"); this.skip(",")) items.push(this.value());
        return items;
    }

    /// A quoted text with its quotation marks, or the text up to the end that is given.
    word(end) {
        this.skipBlanks();
        const quote = this.text[this.at];
        const begin = this.at;
        if (quote === "'" || quote === '"') {
            const pattern = quote === "'" ? /'(?:[^']|'')*'/y : /"(?:[^"\\]|\\.)*"/y;
            pattern.lastIndex = begin;
            this.at += pattern.exec(this.text)[0].length;
        } else {
            const length = this.text.slice(begin).search(end);
            this.at = length < 0 ? this.text.length : begin + length;
        }
        return this.text.slice(begin, this.at).trim();
    }

    skipBlanks() { while (this.text[this.at] === " ") this.at += 1; }

    skip(character) {
        this.skipBlanks();
        if (this.text[this.at] === character) this.at += 1;
    }

    closes(character) {
        this.skipBlanks();
        if (this.at < this.text.length && this.text[this.at] !== character) return false;
        this.at += 1;
        return true;
    }
}
