// Posts and comments held for review by a rule, a classifier or a moderator.

import { act, tell } from "./acting.js";
import { get } from "./api.js";
import { h } from "./dom.js";
import { mediaBox, stepMedia } from "./media.js";
import {
    at, button, choice, communityChoice, communityLink, facts, kindOf, plural, subjectKey, subjectLabel, userLink, when,
} from "./parts.js";
import { Worklist } from "./worklist.js";

const KINDS = [["", "everything"], ["post", "posts"], ["comment", "comments"]];

export async function queue(_, parameters) {
    const list = new Worklist({
        label: "Held content", none: "Nothing is held.", row, detail: (item) => detail(item, keys, list),
        key: (item) => subjectKey(item.subject).replace(" ", "-"),
        load: (cursor, limit) => get("/v1/moderation/queue", { ...parameters, cursor, limit }),
    });
    const keys = [
        ...list.keys,
        ["v", "show the media, reveal it, hide it", () => stepMedia(list.pane)],
        ["a", "approve: show it at its original position", () => decide(list.targets, "approve")],
        ["x", "remove", () => decide(list.targets, "remove")],
        ["w", "warn the author", () => warn(list.targets)],
    ];
    return {
        title: "Held", keys, element: list.element, start: () => list.start(), stop: () => list.stop(),
        bar: [choice("Show", "kind", KINDS, parameters), communityChoice(parameters)],
    };
}

function row(item) {
    return [
        h("div.row", h("span.badge", kindOf(item.subject)), item.rule && h("span.badge.warn", item.rule),
            h("strong.clip", `@${item.user.username}`), h("span.grow"), h("span.quiet", when(item.heldAt))),
        h("div.clip", item.text),
        h("div.quiet.clip", item.reason),
    ];
}

function detail(item, keys, list) {
    const run = (key) => keys.find(([name]) => name === key)[2];
    return [
        h("h2", `Held ${kindOf(item.subject)}`),
        h("div.quote", item.text),
        list.mediaOf(item, () => mediaBox({ url: item.mediaUrl, thumbnailUrl: item.thumbnailUrl })),
        h("div.actions.decisions", button("Approve", run("a"), { key: "a" }), button("Warn", run("w"), { key: "w" }),
            button("Remove", run("x"), { key: "x", danger: true }), list.markButton()),
        facts(
            ["Held for", h("strong", item.reason)], ["Rule", item.rule], ["Author", userLink(item.user,
                item.community?.communityId)],
            ["Community", communityLink(item.community)], ["Subject", subjectLabel(item.subject)],
            ["Written", at(item.createdAt)], ["Held", at(item.heldAt)]),
    ];
}

/** Approves or removes content. Removal is from its community, or from the whole site if it is in none. */
function decide(targets, decision) {
    if (!targets.length) return tell("Nothing is selected.");
    const orders = new Map();
    for (const { subject, community } of targets) {
        const noun = kindOf(subject) === "post" ? "Post" : "Comment";
        const action = (decision === "approve" ? "approve" : community ? "remove" : "takedown") + noun;
        orders.set(action, [...(orders.get(action) ?? []), subject]);
    }
    const what = plural(targets.length, targets.length === 1 ? kindOf(targets[0].subject) : "item");
    const isRemoval = decision === "remove";
    return act({
        title: isRemoval ? "Remove" : "Approve", danger: isRemoval, lead: `${what} of ${authors(targets)}`,
        orders: () => [...orders].map(([action, subjects]) => ({ action, subjects })),
        text: `${isRemoval ? "Removed" : "Approved"} ${what}`,
    });
}

const authors = (targets) => [...new Set(targets.map(({ user }) => `@${user.username}`))].slice(0, 3).join(", ");

function warn(targets) {
    if (!targets.length) return tell("Nothing is selected.");
    const orders = new Map();
    for (const { user, community } of targets) {
        const key = community?.communityId ?? "";
        const order = orders.get(key)
            ?? { action: "warnUser", communityId: community?.communityId, subjects: [], lasts: true };
        if (!order.subjects.some(({ userId }) => userId === user.userId)) order.subjects.push({ userId: user.userId });
        orders.set(key, order);
    }
    return act({
        title: "Warn", lasts: true, lead: authors(targets), orders: () => [...orders.values()],
        text: `Warned ${authors(targets)}`,
    });
}
