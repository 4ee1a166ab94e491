// The frame: sign-in, navigation, the view of the current address, keys.

import { hasDialog, tell, undoLast } from "./acting.js";
import { me, signIn, signOut } from "./api.js";
import { appeals } from "./appeals.js";
import { communities, community } from "./communities.js";
import { dashboard } from "./dashboard.js";
import { fill, h, icon } from "./dom.js";
import { explorer } from "./explorer.js";
import { modlog } from "./modlog.js";
import { problem } from "./parts.js";
import { people, user } from "./people.js";
import { queue } from "./queue.js";
import { reports } from "./reports.js";
import { rules } from "./rules.js";

const VIEWS = { reports, queue, appeals, communities, community, people, user, modlog, rules, dashboard, explorer };

/** [view, title, the key after `g`, true for site roles only] */
const PLACES = [
    ["reports", "Reports", "r"], ["queue", "Held", "h"], ["appeals", "Appeals", "a"],
    ["communities", "Communities", "c"], ["people", "People", "p", true], ["modlog", "Modlog", "m"],
    ["rules", "Rules", "u"], ["dashboard", "Dashboard", "d", true], ["explorer", "Explorer", "e", true],
];
/** The place that contains a view. */
const WITHIN = { community: "communities", user: "people" };

const signin = document.getElementById("signin");
const form = document.getElementById("signin-form");
const code = document.getElementById("signin-code");
const refusal = document.getElementById("signin-problem");
const shell = document.getElementById("shell");
const bar = h("div.bar");
const title = h("h1", { tabindex: -1 });
const main = h("main.view", { id: "view" });
let links = [];
let view = null;
let turn = 0;
let isGoing = false;

form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const submit = form.querySelector("button");
    submit.disabled = true;
    refusal.hidden = true;
    try {
        await signIn(Object.fromEntries(new FormData(form)));
        form.reset();
        code.hidden = true;
        enter();
    } catch (error) {
        if (error.code === "totp_required") {
            code.hidden = false;
            form.elements.code.focus();
        }
        refusal.hidden = false;
        fill(refusal, error.message);
    } finally {
        submit.disabled = false;
    }
});

function enter() {
    const places = PLACES.filter(([, , , isForSite]) => !isForSite || me.siteRole);
    links = places.map(([name, label, key]) => h("a", { href: `#/${name}`, "data-view": name, title: `${label} (g ${key})` },
        icon(name), h("span", label)));
    // On a narrow screen the places are behind this button.
    const menu = h("button.menu", {
        type: "button", "aria-expanded": "false", "aria-controls": "places", onclick: () => openMenu(!isMenuOpen()),
    }, icon("menu"), "Menu");
    fill(shell,
        h("nav.places", { "aria-label": "Console" },
            h("div.brand", h("span.mark", "g"), h("span", "graphd")), menu,
            h("div.links", { id: "places" }, links, h("span.grow"),
                h("div.self", h("span.clip", `@${me.username}`),
                    h("span.quiet", me.siteRole ? `site ${me.siteRole}` : "moderator")),
                h("button.help-keys", { type: "button", onclick: () => help(), title: "Keys (?)" }, "Keys ", h("kbd", "?")),
                h("button", { type: "button", onclick: leave }, "Sign out"))),
        h("div.content", h("header.top", title, bar), main));
    signin.hidden = true;
    shell.hidden = false;
    if (Object.hasOwn(VIEWS, place().name)) show();
    else location.hash = "#/reports";
}

const isMenuOpen = () => shell.classList.contains("open");

function openMenu(isOpen) {
    shell.classList.toggle("open", isOpen);
    shell.querySelector(".menu")?.setAttribute("aria-expanded", String(isOpen));
}

async function leave() {
    close();
    await signOut();
    location.hash = "";
    form.elements.email.focus();
}

/** Removes everything that was shown, at the end of the session. */
function close() {
    turn += 1;
    view?.stop?.();
    view = null;
    document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
    fill(main);
    fill(shell);
    shell.hidden = true;
    signin.hidden = false;
}

function place() {
    const [path, query] = location.hash.replace(/^#\//, "").split("?");
    const [name, ...rest] = path.split("/");
    return { name, rest: rest.map(decodeURIComponent), parameters: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

/** Shows the view of the current address. A slow view does not replace a later one. */
async function show({ keepsPlace = false } = {}) {
    const own = (turn += 1);
    const { name, rest, parameters } = place();
    if (!Object.hasOwn(VIEWS, name)) {
        location.hash = "#/reports";
        return;
    }
    for (const link of links) {
        const isHere = link.dataset.view === (WITHIN[name] ?? name);
        if (isHere) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
    if (!keepsPlace) {
        openMenu(false);
        view?.stop?.();
        view = null;
        delete main.dataset.shown;
        main.setAttribute("aria-busy", "true");
    }
    let next;
    try {
        next = await VIEWS[name](rest, parameters);
    } catch (error) {
        next = { title: PLACES.find(([place]) => place === name)?.[1] ?? name, element: problem(error) };
    }
    if (own !== turn) return next.stop?.();
    const scrolled = main.scrollTop;
    view = next;
    document.title = `${view.title} · graphd console`;
    fill(title, view.title);
    fill(bar, view.bar ?? []);
    fill(main, view.element);
    main.removeAttribute("aria-busy");
    main.scrollTop = keepsPlace ? scrolled : 0;
    if (!keepsPlace) title.focus({ preventScroll: true });
    await view.start?.();
    if (own === turn) main.dataset.shown = location.hash;
}

window.addEventListener("hashchange", () => { if (!shell.hidden) show(); });
document.addEventListener("acted", () => { if (view?.reloads) show({ keepsPlace: true }); });
document.addEventListener("signed-out", () => {
    close();
    tell("Signed out. Please sign in again.", { isProblem: true });
});

function isTyping(target) {
    return target.closest?.("input, textarea, select, [contenteditable]") !== null && target.closest !== undefined;
}

document.addEventListener("keydown", (event) => {
    if (shell.hidden || hasDialog() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && isMenuOpen()) {
        openMenu(false);
        shell.querySelector(".menu").focus();
        return;
    }
    if (isTyping(event.target)) {
        if (event.key === "Escape") event.target.blur();
        return;
    }
    const action = keyAction(event.key);
    if (!action) return;
    event.preventDefault();
    action();
});

function keyAction(key) {
    if (isGoing) {
        isGoing = false;
        const links = PLACES.filter(([, , , isForSite]) => !isForSite || me.siteRole);
        const [name] = links.find(([, , letter]) => letter === key) ?? [];
        return name && (() => { location.hash = `#/${name}`; });
    }
    const own = view?.keys?.find(([name]) => name === key);
    if (own) return own[2];
    return {
        "?": help, u: undoLast, "/": () => bar.querySelector("[data-search], input, select")?.focus(),
        g: () => { isGoing = true; setTimeout(() => { isGoing = false; }, 1500); },
    }[key];
}

function help() {
    if (hasDialog()) return;
    const rows = (list) => h("dl.keys", list.map(([key, text]) => [h("dt", h("kbd", key)), h("dd", text)]));
    const own = (view?.keys ?? []).filter(([, text]) => text);
    const dialog = h("dialog.help", { "aria-label": "Keys" },
        h("h2", "Keys"),
        h("div.two",
            own.length > 0 && h("section", h("h3", view.title), rows(own)),
            h("section", h("h3", "Everywhere"), rows([["u", "undo the last action"], ["/", "search or filter"],
                ["?", "this list"], ["Esc", "close, or leave a field"]]), h("h3", "Go to"),
                rows(PLACES.filter(([, , , isForSite]) => !isForSite || me.siteRole)
                    .map(([, label, key]) => [`g ${key}`, label])))),
        h("div.buttons", h("span.grow"), h("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
}
