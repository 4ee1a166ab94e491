// Builds the page from elements. Every string becomes a text node or an attribute; nothing is parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

/** `h("button.primary", { onclick }, "Save")`; attributes may be left out, children may be nested, null or false. */
export function h(tag, ...rest) {
    return build(document.createElement(tag.split(".")[0]), tag, rest);
}

function build(element, tag, rest) {
    const classes = tag.split(".").slice(1);
    if (classes.length) element.setAttribute("class", classes.join(" "));
    const hasAttributes = rest[0]?.constructor === Object;
    for (const [name, value] of Object.entries(hasAttributes ? rest[0] : {})) set(element, name, value);
    element.append(...present(hasAttributes ? rest.slice(1) : rest));
    return element;
}

function set(element, name, value) {
    if (value === null || value === undefined || value === false) return;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
}

function present(children) {
    return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren(...present(children));
    return element;
}

const ICONS = {
    home: "M4 11 12 4l8 7v9h-5.5v-5.5h-5V20H4z",
    forYou: "m12 3 2.3 6.7L21 12l-6.7 2.3L12 21l-2.3-6.7L3 12l6.7-2.3z",
    trending: "m3.5 17 6-6.5 4 3.5 7-7.5M15 6.5h5.5V12",
    heart: "M12 20.3C5.6 16 3 12.9 3 9.3 3 6.7 5 4.8 7.5 4.8c1.8 0 3.4 1 4.5 2.7 1.1-1.7 2.7-2.7 4.5-2.7C19 4.8 21 6.7 21 9.3c0 3.6-2.6 6.7-9 11z",
    comment: "M12 4c5 0 9 3.2 9 7.3s-4 7.3-9 7.3c-1 0-2-.1-2.9-.4L4.5 20l.9-3.4C3.9 15.3 3 13.4 3 11.3 3 7.2 7 4 12 4z",
    save: "M6.5 4h11v16.5L12 16.2l-5.5 4.3z",
    reshare: "M4 12V9.5A2.5 2.5 0 0 1 6.5 7H19m-3.5-3.5L19 7l-3.5 3.5M20 12v2.5a2.5 2.5 0 0 1-2.5 2.5H5m3.5 3.5L5 17l3.5-3.5",
    why: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.3 9.5a2.8 2.8 0 1 1 4.2 2.5c-1 .6-1.5 1.2-1.5 2.2m0 2.9v.1",
    algorithms: "M4 7h8m6 0h2M4 17h2m6 0h8M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
    people: "M9.5 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.8-5.5 6.5-5.5S16 16.5 16 20M15.5 4.3a3.5 3.5 0 0 1 0 6.5M18 15c1.9.8 3 2.5 3 5",
    person: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.4-3.8 3.3-6 7.5-6s7.1 2.2 7.5 6",
    plus: "M12 5v14M5 12h14",
    check: "m5 12.5 4.5 4.5L19 7.5",
    close: "m6 6 12 12M18 6 6 18",
    up: "M12 19V5.5M6 11l6-6 6 6",
    down: "M12 5v13.5M6 13l6 6 6-6",
    play: "M8 5.5v13l10.5-6.5z",
    logOut: "M14 4.5H6v15h8M10.5 12H20m-3.5-3.5L20 12l-3.5 3.5",
    send: "M4 12 20 4.5 15.5 20l-3.5-6.5z",
    light: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2.5v2m0 15v2M2.5 12h2m15 0h2M5.3 5.3l1.4 1.4m10.6 10.6 1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
    dark: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
    auto: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 3v18m3-17.4v16.8m3-14.9v13",
    topic: "M9.5 4 7.5 20m9-16-2 16M4.5 9h15.5M4 15h15.5",
    community: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.6 2.5 3.8 5.5 3.8 9s-1.2 6.5-3.8 9c-2.6-2.5-3.8-5.5-3.8-9S9.4 5.5 12 3z",
};

export function icon(name) {
    const svg = document.createElementNS(SVG, "svg");
    const path = document.createElementNS(SVG, "path");
    for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"]]) {
        svg.setAttribute(key, value);
    }
    path.setAttribute("d", ICONS[name]);
    svg.append(path);
    return svg;
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const UNITS = [["y", 31_536_000], ["mo", 2_592_000], ["d", 86_400], ["h", 3_600], ["min", 60]];

export const count = (number) => short.format(number);

/** A time as the distance from now; the exact one shows on hover. */
export function when(iso) {
    const date = new Date(iso);
    const seconds = Math.max(0, (Date.now() - date) / 1_000);
    const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? [null, 1];
    const text = unit ? `${Math.floor(seconds / size)} ${unit}` : "now";
    return h("time", { datetime: iso, title: full.format(date) }, text);
}

/** A person's display name, or else the username. */
export const nameOf = (person) => person.displayName || person.username;

/** A disc with a person's initials, in a colour of the person's own. */
export function avatar(person) {
    const letters = nameOf(person).split(/[\s_.]+/).filter(Boolean).map((word) => [...word][0].toUpperCase());
    const disc = h("span.avatar", { "aria-hidden": "true" }, letters.slice(0, 2).join(""));
    disc.style.setProperty("--hue", hash(person.username) % 360);
    return disc;
}

/** A number from 0 to 4,294,967,295 that belongs to a text (FNV-1a). */
export function hash(text) {
    let value = 0x811c9dc5;
    for (const letter of text) value = Math.imul(value ^ letter.codePointAt(0), 0x01000193) >>> 0;
    return value;
}
