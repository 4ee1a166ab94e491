// Builds the page from elements. Every string becomes a text node or an attribute; nothing is parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** `h("button.primary", { onclick }, "Save")`; attributes may be left out, children may be nested, null or false. */
export function h(tag, ...rest) {
    return build(document.createElement(tag.split(".")[0]), tag, rest);
}

/** The same as `h`, for SVG. */
export function s(tag, ...rest) {
    return build(document.createElementNS(SVG, tag.split(".")[0]), tag, rest);
}

function build(element, tag, rest) {
    const classes = tag.split(".").slice(1);
    if (classes.length) element.setAttribute("class", classes.join(" "));
    const hasAttributes = rest[0]?.constructor === Object;
    element.append(...flat(hasAttributes ? rest.slice(1) : rest));
    // Set after the children, because the value of a choice is one of its options.
    for (const [name, value] of Object.entries(hasAttributes ? rest[0] : {})) set(element, name, value);
    return element;
}

function set(element, name, value) {
    if (value === null || value === undefined || value === false) return;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "href") element.setAttribute("href", isSafe(value) ? value : "#/");
    else element.setAttribute(name, value === true ? "" : value);
}

/** An address that a link may have: within the console, or on the web. */
export function isSafe(address) {
    return /^(#\/|https?:\/\/)/i.test(address);
}

function flat(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren(...flat(children));
    return element;
}

/** A link to an address that a user wrote, or text if it is not a web address. */
export function outside(address) {
    if (!address) return null;
    if (!isSafe(address) || address.startsWith("#")) return h("span.mono.clip", address);
    return h("a.mono.clip", { href: address, target: "_blank", rel: "noopener noreferrer nofollow" }, address);
}

const ICONS = {
    reports: "M3.5 2v12M3.5 3h8l-1.5 2.5 1.5 2.5h-8",
    queue: "M8 4.5V8l2.5 1.5M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z",
    appeals: "M8 2v11M4 13.5h8M3 5h10M3 5 1.5 9h3L3 5Zm10 0-1.5 4h3L13 5Z",
    communities: "M5.5 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm5.5.5a1.7 1.7 0 1 0 0-3.4M2 13c0-2.5 1.5-4 3.5-4S9 10.5 9 13m2-3.5c1.8.2 3 1.5 3 3.5",
    people: "M8 7.5a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5",
    modlog: "M4 2h8v12H4zM6 5h4M6 8h4M6 11h2.5",
    rules: "M2.5 4.5h5m4 0h2M9.5 2.8v3.4M2.5 11.5h2m4 0h5M6.5 9.8v3.4",
    dashboard: "M2 13h12M3.5 10.5 6.5 7l2.5 2 4-5",
    menu: "M2.5 4h11M2.5 8h11M2.5 12h11",
    explorer: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2L14 14",
};

export function icon(name) {
    return s("svg.icon", { viewBox: "0 0 16 16", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));
}

const UNITS = [["d", 86400], ["h", 3600], ["min", 60]];

/** A duration in its largest unit. */
export function span(seconds) {
    const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["s", 1];
    return `${Math.max(0, Math.round(seconds / size))} ${unit}`;
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

/** A time relative to now, with the exact time on hover. */
export function when(iso) {
    if (!iso) return null;
    const date = new Date(iso);
    const seconds = (Date.now() - date) / 1000;
    const text = seconds < -1 ? `in ${span(-seconds)}` : seconds < 3 ? "now" : `${span(seconds)} ago`;
    return h("time", { datetime: iso, title: full.format(date) }, text);
}

/** The exact time. */
export function at(iso) {
    return iso ? h("time.mono", { datetime: iso, title: full.format(new Date(iso)) }, short.format(new Date(iso))) : null;
}

const counted = new Intl.NumberFormat();

export function count(number) {
    return number === null || number === undefined ? "–" : counted.format(number);
}

/** `3 posts`, `1 post` */
export function plural(number, noun) {
    return `${count(number)} ${number === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
