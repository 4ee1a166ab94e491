// The algorithms of the person who is signed in: the tags that the filter "My algorithms" lets through.

import { h, icon } from "./elements.js";
import { FEEDS } from "./feed.js";
import { get, me, patch } from "./session.js";
import { openSheet, pending, toast } from "./sheets.js";
import { description } from "./why.js";

/** Opens the sheet. `changed` is called after each choice that the server has accepted. */
export function chooseAlgorithms(changed) {
    const chips = h("div.chips.wrapping", { role: "group", "aria-label": "Algorithms" });
    const add = (tag) => chips.append(chip(tag, changed));
    const field = h("input", {
        name: "tag", "aria-label": "Another algorithm", placeholder: "Another algorithm", maxlength: 64, autocomplete: "off",
    });
    const form = h("form.say", field, h("button.round.primary", { "aria-label": "Add" }, icon("plus")));
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const tag = field.value.trim();
        if (!tag || isSelected(tag)) return;
        field.value = "";
        chips.prepend(chip(tag, changed));
        chips.firstElementChild.click();
    });
    openSheet("Algorithms",
        h("p.quiet", "Every post names the algorithms that it is for. Choose yours, and “My algorithms” shows the posts ",
            "that have at least one of them."),
        pending(async () => {
            for (const tag of await offered()) add(tag);
            return chips;
        }),
        form,
        h("h3", "How the feeds are made"),
        Object.values(FEEDS).map(({ title, algorithm }) =>
            h("details.made", h("summary", title), pending(() => description(algorithm)))));
}

const isSelected = (tag) => me.selectedAlgorithms.some((other) => other.toLowerCase() === tag.toLowerCase());

/** The chosen tags, and those of popular posts. */
async function offered() {
    const { items } = await get(FEEDS.trending.path, { window: "7d", limit: 60 });
    const tags = new Map(me.selectedAlgorithms.map((tag) => [tag.toLowerCase(), tag]));
    for (const tag of items.flatMap((item) => item.algorithmTags)) {
        if (!tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag);
    }
    return tags.values();
}

/** Choices are sent one after the other, so that the last one holds. */
let last = Promise.resolve();

function chip(tag, changed) {
    const button = h("button.chip", { type: "button", "data-tag": tag, "aria-pressed": String(isSelected(tag)) }, tag);
    const show = () => button.setAttribute("aria-pressed", isSelected(tag));
    button.addEventListener("click", () => {
        const before = me.selectedAlgorithms;
        me.selectedAlgorithms = isSelected(tag)
            ? before.filter((other) => other.toLowerCase() !== tag.toLowerCase())
            : [...before, tag];
        const wanted = me.selectedAlgorithms;
        show();
        last = last.then(() => patch("/v1/me", { selectedAlgorithms: wanted })).then(changed, (error) => {
            me.selectedAlgorithms = before;
            show();
            toast(error.message, "problem");
        });
    });
    return button;
}
