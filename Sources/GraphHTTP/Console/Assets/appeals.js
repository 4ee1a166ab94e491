// Users' appeals against decisions.

import { act, tell } from "./acting.js";
import { get } from "./api.js";
import { h } from "./dom.js";
import {
    actionBadge, at, button, choice, communityChoice, communityLink, facts, plural, subjectLabel, userLink, when,
} from "./parts.js";
import { Worklist } from "./worklist.js";

const STATUS = [["open", "open"], ["granted", "granted"], ["denied", "denied"]];

export async function appeals(_, parameters) {
    const shown = { status: "open", ...parameters };
    const list = new Worklist({
        label: "Appeals", none: "No appeals.", row, detail: (appeal) => detail(appeal, keys, list),
        key: (appeal) => appeal.appealId,
        load: (cursor, limit) => get("/v1/moderation/appeals", { ...shown, cursor, limit }),
    });
    const keys = [
        ...list.keys,
        ["y", "grant: undo the action", () => decide(list.targets, "granted")],
        ["n", "deny", () => decide(list.targets, "denied")],
    ];
    return {
        title: "Appeals", keys, element: list.element, start: () => list.start(), stop: () => list.stop(),
        bar: [choice("Status", "status", STATUS, shown), communityChoice(parameters)],
    };
}

function row(appeal) {
    return [
        h("div.row", actionBadge(appeal.entry.action), h("strong.clip", `@${appeal.user.username}`), h("span.grow"),
            appeal.status !== "open" && h("span.badge", appeal.status), h("span.quiet", when(appeal.createdAt))),
        h("div.clip", appeal.text),
        h("div.quiet.clip", appeal.entry.reason),
    ];
}

function detail(appeal, keys, list) {
    const run = (key) => keys.find(([name]) => name === key)[2];
    const { entry } = appeal;
    return [
        h("h2", "Appeal"),
        h("div.quote", appeal.text),
        appeal.status === "open" && h("div.actions.decisions",
            button("Grant", run("y"), { key: "y" }), button("Deny", run("n"), { key: "n", danger: true }),
            list.markButton()),
        facts(
            ["By", userLink(appeal.user, entry.community?.communityId)], ["Asked", at(appeal.createdAt)],
            ["Against", actionBadge(entry.action)], ["Done by", entry.actor && userLink(entry.actor)],
            ["For", h("strong", entry.reason)], ["Note", entry.note], ["Subject", subjectLabel(entry.subject)],
            ["Community", communityLink(entry.community)], ["Done", at(entry.createdAt)], ["Until", at(entry.expiresAt)],
            ["Decided", appeal.decidedAt && [appeal.status, " ", at(appeal.decidedAt)]]),
    ];
}

function decide(targets, decision) {
    const open = targets.filter((appeal) => appeal.status === "open");
    if (!open.length) return tell("No open appeal is selected.");
    const what = plural(open.length, "appeal");
    const isGrant = decision === "granted";
    return act({
        title: isGrant ? "Grant" : "Deny", danger: !isGrant,
        lead: isGrant ? `${what}: the action is undone.` : `${what}: the action stands.`,
        orders: () => [{
            action: "decideAppeal", subjects: open.map(({ appealId }) => ({ appealId })), decision,
        }],
        text: `${isGrant ? "Granted" : "Denied"} ${what}`,
    });
}
