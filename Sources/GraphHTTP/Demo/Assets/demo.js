// The page as a whole: signing in, choosing a feed and a filter, and what the keys do.

import { forgetFollows } from "./acts.js";
import { chooseAlgorithms } from "./algorithms.js";
import { avatar, fill, h, icon, nameOf } from "./elements.js";
import { FEEDS, Feed } from "./feed.js";
import { player } from "./poster.js";
import { isSignedIn, learnWhoIAm, me, signIn, signOut } from "./session.js";
import { openSheet, pending, toast } from "./sheets.js";
import { follow } from "./stream.js";
import { suggestions } from "./suggestions.js";
import { THEMES, choose, theme } from "./theme.js";
import { Timeline } from "./timeline.js";

const find = (selector) => document.querySelector(selector);
const timeline = new Timeline(find("#feed"), find("#arrivals"), () => show(timeline.feed.name));
let streaming = null;

// Feeds and filters

function show(name, algorithms = null) {
    for (const button of document.querySelectorAll("[data-feed]")) {
        if (button.dataset.feed === name) button.setAttribute("aria-current", "page");
        else button.removeAttribute("aria-current");
    }
    const shown = timeline.show(new Feed(name, algorithms));
    showFilters();
    return shown;
}

function showFilters() {
    const { name, algorithms } = timeline.feed;
    const filter = (value, text) => h("button.chip", {
        type: "button", "data-filter": value ?? "all", "aria-pressed": String(algorithms === value),
        onclick: () => show(name, value),
    }, text);
    fill(find("#filters"),
        filter(null, "All"),
        me.selectedAlgorithms.length ? filter("selected", "My algorithms") : null,
        me.selectedAlgorithms.map((tag) => filter(tag, tag)),
        h("button.chip.choose", { type: "button", "data-open": "algorithms", onclick: openAlgorithms }, icon("plus"),
            me.selectedAlgorithms.length ? "Change" : "Choose algorithms"));
}

/** After a change, the filters are drawn again, and a feed that depends on them is read again. */
function algorithmsChanged() {
    const { name, algorithms } = timeline.feed;
    const isGone = algorithms === "selected" ? !me.selectedAlgorithms.length
        : algorithms !== null && !me.selectedAlgorithms.includes(algorithms);
    if (isGone) show(name);
    else if (algorithms === "selected") show(name, algorithms);
    else showFilters();
}

const openAlgorithms = () => chooseAlgorithms(algorithmsChanged);

// The frame around the feed

function buttons() {
    for (const place of document.querySelectorAll("[data-feeds]")) {
        fill(place, Object.entries(FEEDS).map(([name, feed]) => h("button", {
            type: "button", "data-feed": name, title: feed.title, onclick: () => show(name),
        }, icon(feed.icon), h("span", feed.title))));
    }
    const places = {
        algorithms: ["algorithms", openAlgorithms], people: ["people", openPeople], account: ["person", openAccount],
    };
    for (const button of document.querySelectorAll("[data-open]")) {
        const [name, open] = places[button.dataset.open];
        button.prepend(icon(name));
        button.addEventListener("click", open);
    }
    find("#up").append(icon("up"));
    find("#down").append(icon("down"));
    find("#up").addEventListener("click", () => timeline.move(-1));
    find("#down").addEventListener("click", () => timeline.move(1));
}

function themeSwitch() {
    const choice = ([name, text]) => h("button", {
        type: "button", "data-theme-choice": name, "aria-label": text, title: text, "aria-pressed": String(theme() === name),
        onclick: () => {
            choose(name);
            for (const button of document.querySelectorAll("[data-theme-choice]")) {
                button.setAttribute("aria-pressed", String(button.dataset.themeChoice === name));
            }
        },
    }, icon(name));
    return h("div.themes", { role: "group", "aria-label": "Colours" }, Object.entries(THEMES).map(choice));
}

function account() {
    return h("div.account", avatar(me), h("div.names", h("strong", nameOf(me)), h("span", `@${me.username}`)),
        h("button.round", {
            type: "button", "data-act": "sign-out", "aria-label": "Sign out", title: "Sign out", onclick: leave,
        }, icon("logOut")));
}

const openPeople = () => openSheet("People to follow", pending(suggestions));

function openAccount() {
    openSheet("You", account(), h("dl.numbers",
        [["Following", me.followingCount], ["Followers", me.followersCount], ["Posts", me.postsCount]]
            .map(([name, number]) => h("div", h("dt", name), h("dd", number)))),
        h("h3", "Colours"), themeSwitch());
}

// The session

async function enter() {
    find("#sign-in").hidden = true;
    backdrop?.remove();
    backdrop = null;
    find("#app").hidden = false;
    fill(find("#me"), themeSwitch(), account());
    fill(find("#suggestions"), h("h2", "Who to follow"), pending(suggestions));
    streaming = new AbortController();
    follow(streaming.signal, {
        home: (post) => timeline.arrive(post, me.selectedAlgorithms),
        notification: ({ message }) => { if (message) toast(message); },
        reset: () => timeline.again(),
        connected: (isConnected) => document.body.toggleAttribute("data-live", isConnected),
    });
    await show("home");
}

function exit(message = null) {
    streaming?.abort();
    forgetFollows();
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    timeline.reset(null);
    find("#app").hidden = true;
    find("#sign-in").hidden = false;
    showBackdrop();
    showProblem(message);
    find("[name=email]").focus();
}

async function leave() {
    await signOut();
    exit();
}

function showProblem(message) {
    find("#problem").textContent = message ?? "";
    find("#problem").hidden = !message;
}

find("#sign-in form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const form = event.target;
    const { email, password, code } = Object.fromEntries(new FormData(form));
    find("#sign-in [type=submit]").disabled = true;
    showProblem(null);
    try {
        await signIn({ email: email.trim(), password, code: code.trim() });
        form.reset();
        find("#code").hidden = true;
        await enter();
    } catch (error) {
        find("#code").hidden = !["totp_required", "wrong_code"].includes(error.code);
        showProblem(error.message);
    } finally {
        find("#sign-in [type=submit]").disabled = false;
    }
});

document.addEventListener("signed-out", () => exit("Your session has ended. Sign in again."));

let backdrop = null;

function showBackdrop() {
    if (backdrop) return;
    const scene = player({ postId: "graphd", mediaUrl: "", category: "Travel" });
    backdrop = scene;
    find("#sign-in").prepend(scene.element);
    scene.play();
}

// Keys

const KEYS = {
    j: () => timeline.move(1),
    k: () => timeline.move(-1),
    ArrowDown: () => timeline.move(1),
    ArrowUp: () => timeline.move(-1),
    l: () => timeline.current?.press("like"),
    s: () => timeline.current?.press("save"),
    f: () => timeline.current?.press("follow"),
    w: () => timeline.current?.press("why"),
    c: () => timeline.current?.press("comments"),
    n: () => timeline.reveal(),
    " ": () => timeline.current?.pauseOrPlay(),
};

document.addEventListener("keydown", (event) => {
    const isElsewhere = find("#app").hidden || find("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey
        || event.target.matches("input, textarea") || (event.key === " " && event.target.matches("button"));
    if (isElsewhere || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
});

buttons();
if (isSignedIn()) learnWhoIAm().then(enter, (error) => exit(error.message));
else exit();
