// The parts of a description as elements. Text of the document never becomes markup.

const METHODS = ["get", "put", "post", "patch", "delete"];
const DEEPEST = 6;

export class Description {
    constructor(content) { this.content = content; }

    /// All operations, in the order of the document.
    get operations() {
        return Object.entries(this.content.paths).flatMap(([path, item]) =>
            METHODS.filter((method) => item[method]).map((method) => ({ method, path, ...item[method] })));
    }

    resolved(value) {
        let found = value;
        while (found?.$ref) {
            found = found.$ref.slice(2).split("/").reduce((inner, part) => inner[part], this.content);
        }
        return found ?? {};
    }

    /// Everything about an operation below its title.
    details(operation) {
        const parts = [...texts(operation.description)];
        const parameters = (operation.parameters ?? []).map((one) => this.resolved(one));
        if (parameters.length) parts.push(element("h3", "Parameters"), this.parameters(parameters));
        const body = this.resolved(operation.requestBody);
        for (const [kind, content] of Object.entries(body.content ?? {})) {
            parts.push(element("h3", `Body (${kind})`), ...this.media(content));
        }
        for (const [status, one] of Object.entries(operation.responses)) parts.push(...this.response(status, one));
        return parts;
    }

    parameters(parameters) {
        const rows = parameters.map((one) => [
            element("code", one.name),
            quiet("span", `${one.in}, ${this.type(one.schema)}${one.required ? "" : ", optional"}`),
            element("div", ...texts(one.description)),
        ]);
        return table(rows);
    }

    response(status, response) {
        const resolved = this.resolved(response);
        const isSuccess = status.startsWith("2");
        const parts = [element("h3", status), ...texts(resolved.description)];
        if (!isSuccess) return parts;
        for (const content of Object.values(resolved.content ?? {})) parts.push(...this.media(content));
        return parts;
    }

    media(content) {
        const parts = [this.members(content.schema, 0)];
        const examples = content.examples ? Object.values(content.examples).map((one) => this.resolved(one).value) : [];
        for (const example of content.example === undefined ? examples : [content.example]) {
            parts.push(element("pre", typeof example === "string" ? example : JSON.stringify(example, null, 2)));
        }
        return parts;
    }

    /// The members of an object, or the type of anything else.
    members(schema, depth) {
        const resolved = this.resolved(schema);
        const inner = resolved.type === "array" ? this.resolved(resolved.items) : this.alternative(resolved);
        if (!inner.properties || depth > DEEPEST) return quiet("p", this.type(schema));
        const required = inner.required ?? [];
        return element("ul", ...Object.entries(inner.properties).map(([name, member]) => {
            const parts = [
                element("code", name), " ",
                quiet("span", this.type(member) + (required.includes(name) ? "" : ", optional")),
                ...inline(" " + (member.description ?? this.resolved(member).description ?? "")),
            ];
            if (this.hasMembers(member)) parts.push(unfolding("members", () => [this.members(member, depth + 1)]));
            return element("li", ...parts);
        }));
    }

    alternative(schema) {
        const found = (schema.oneOf ?? schema.anyOf ?? []).find((one) => one.type !== "null");
        return found ? this.resolved(found) : schema;
    }

    hasMembers(schema) {
        const resolved = this.alternative(this.resolved(schema));
        return Boolean(resolved.properties ?? this.alternative(this.resolved(resolved.items)).properties);
    }

    type(schema) {
        const resolved = this.resolved(schema);
        const alternatives = resolved.oneOf ?? resolved.anyOf;
        if (alternatives) return [...new Set(alternatives.map((one) => this.type(one)))].join(" or ");
        if (resolved.enum) return resolved.enum.map((one) => JSON.stringify(one)).join(", ");
        if (resolved.const !== undefined) return JSON.stringify(resolved.const);
        if (resolved.type === "array") return `list of ${this.type(resolved.items)}`;
        return [resolved.type ?? "any"].flat().join(" or ") + (resolved.format ? ` (${resolved.format})` : "");
    }
}

export function element(name, ...content) {
    const made = document.createElement(name);
    made.append(...content);
    return made;
}

function quiet(name, text) {
    const made = element(name, text);
    made.className = "quiet";
    return made;
}

/// A part that is made when it is opened.
export function unfolding(title, make, ...more) {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.append(title, ...more);
    details.append(summary);
    details.addEventListener("toggle", () => {
        if (details.open && !details.dataset.filled) {
            details.dataset.filled = "yes";
            const body = document.createElement("div");
            body.append(...make());
            details.append(body);
        }
    });
    return details;
}

function table(rows) {
    const body = document.createElement("table");
    for (const row of rows) body.insertRow().append(...row.map((cell) => element("td", cell)));
    const frame = document.createElement("div");
    frame.className = "table";
    frame.append(body);
    return frame;
}

/// Paragraphs and tables of a text.
export function texts(text) {
    return (text ?? "").trim().split(/\n\s*\n/).filter(Boolean).map((part) => {
        if (!part.startsWith("|")) return element("p", ...inline(part));
        const rows = part.split("\n").filter((line) => !/^\|[-|: ]+\|$/.test(line));
        return table(rows.map((line) => line.slice(1, -1).split("|").map((cell) => element("span", ...inline(cell)))));
    });
}

/// `code` and **stress** in a text.
function inline(text) {
    return text.split(/(`[^`]*`|\*\*[^*]*\*\*)/).filter(Boolean).map((part) => {
        if (part.startsWith("`")) return element("code", part.slice(1, -1));
        return part.startsWith("**") ? element("strong", part.slice(2, -2)) : part;
    });
}
