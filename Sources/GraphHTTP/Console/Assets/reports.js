// Users' reports: claim, judge and resolve them, the oldest first.

import { act, actAtOnce, tell } from "./acting.js";
import { get, me } from "./api.js";
import { fill, h, outside } from "./dom.js";
import {
    at, button, choice, communityChoice, communityLink, facts, historyOf, kindOf, plural, subjectKey, subjectLabel,
    userLink, when,
} from "./parts.js";
import { Worklist } from "./worklist.js";

const STATUS = [["open", "open"], ["claimed", "claimed"], ["resolved", "resolved"], ["all", "all"]];
const KINDS = [["", "anything"], ["post", "posts"], ["comment", "comments"], ["user", "users"], ["community", "communities"]];

export async function reports(_, parameters) {
    const shown = { status: "open", ...parameters };
    const list = new Worklist({
        label: "Reports", none: "No reports. Well done.", row, detail: (report) => detail(report, keys),
        key: (report) => report.reportId,
        load: (cursor, limit) => get("/v1/moderation/reports", { ...shown, cursor, limit }),
    });
    const keys = [
        ...list.keys,
        ["c", "claim", () => claim(list.targets)],
        ["r", "release", () => release(list.targets)],
        ["d", "dismiss", () => dismiss(list.targets)],
        ["x", "remove the reported item", () => removeSubjects(list)],
        ["b", "ban its author", () => sanction(list, "ban")],
        ["w", "warn its author", () => sanction(list, "warn")],
    ];
    if (me.siteRole) keys.push(["t", "take it down on the whole site", () => removeSubjects(list, true)]);
    return {
        title: "Reports", keys, element: list.element, start: () => list.start(), stop: () => list.stop(),
        bar: [
            choice("Status", "status", STATUS, shown), choice("About", "kind", KINDS, parameters),
            communityChoice(parameters),
            parameters.userId && h("span.badge", `user ${parameters.userId}`),
        ],
    };
}

function row(report) {
    return [
        h("div.row",
            h("span.badge", kindOf(report.subject)), report.openReports > 1 && h("span.badge.warn", `${report.openReports}×`),
            h("strong.clip", report.user ? `@${report.user.username}` : report.community?.name ?? ""),
            h("span.grow"), report.status === "claimed" && h("span.badge.good", `@${report.claimedBy?.username}`),
            report.status === "resolved" && h("span.badge", report.resolution), h("span.quiet", when(report.createdAt))),
        h("div.clip", report.reason),
        h("div.quiet.clip", report.excerpt || "(gone)"),
    ];
}

function detail(report, keys) {
    const run = (key) => keys.find(([name]) => name === key)?.[2];
    const content = h("div.quote", report.excerpt || "(gone)");
    const history = h("div.stack", h("p.quiet", "Looking…"));
    const kind = kindOf(report.subject);
    if (kind === "post") showWhole(report.subject.postId, content);
    if (report.user) showHistory(report, history);
    const isOpen = report.status !== "resolved";
    return [
        h("div.row", h("h2", `Reported ${kind}`), report.openReports > 1 && h("span.badge.warn",
            plural(report.openReports, "open report"))),
        content,
        facts(
            ["Reason", h("strong", report.reason)], ["Note", report.note], ["By", report.reporter ? userLink(report.reporter) : "graphd itself"],
            ["Community", report.community && communityLink(report.community)],
            ["Author", report.user && userLink(report.user, report.community?.communityId)],
            ["Subject", subjectLabel(report.subject)], ["Reported", at(report.createdAt)],
            ["Claimed by", report.claimedBy && userLink(report.claimedBy)],
            ["Resolved", report.resolution && [report.resolution, " ", at(report.resolvedAt)]]),
        isOpen && h("div.actions",
            report.status === "claimed" ? button("Release", run("r"), { key: "r" }) : button("Claim", run("c"), { key: "c" }),
            button("Dismiss", run("d"), { key: "d" }), report.user && button("Warn", run("w"), { key: "w" }),
            (kind === "post" || kind === "comment") && button("Remove", run("x"), { key: "x", danger: true }),
            report.user && button("Ban", run("b"), { key: "b", danger: true }),
            me.siteRole && (kind === "post" || kind === "comment")
                && button("Take down", run("t"), { key: "t", danger: true })),
        report.user && [h("h3", "Before"), history],
    ];
}

async function showWhole(postId, element) {
    const post = await get(`/v1/posts/${postId}`).catch(() => null);
    // If the caller cannot open the post, its excerpt stays.
    if (post) fill(element, post.title && h("strong", post.title, h("br")), post.caption, h("br"), outside(post.mediaUrl));
}

async function showHistory(report, element) {
    const parameters = { communityId: me.siteRole ? undefined : report.community?.communityId };
    const user = await get(`/v1/moderation/users/${report.user.userId}`, parameters).catch(() => null);
    fill(element, user ? historyOf(user) : h("p.quiet", "You may not see this user's history."));
}

const subjects = (reports) => reports.map(({ reportId }) => ({ reportId }));
const resolve = (reports, resolution) => ({ action: "resolveReport", subjects: subjects(reports), resolution });

async function claim(targets) {
    const open = targets.filter((report) => report.status === "open");
    if (!open.length) return tell("No open report is selected.");
    await actAtOnce([{ action: "claimReport", subjects: subjects(open) }], "Claimed", `Claimed ${plural(open.length, "report")}`);
    document.dispatchEvent(new Event("acted"));
}

async function release(targets) {
    const claimed = targets.filter((report) => report.status === "claimed");
    if (!claimed.length) return tell("No claimed report is selected.");
    await actAtOnce([{ action: "releaseReport", subjects: subjects(claimed) }], "Released",
        `Released ${plural(claimed.length, "report")}`);
    document.dispatchEvent(new Event("acted"));
}

function dismiss(targets) {
    const unresolved = targets.filter((report) => report.status !== "resolved");
    if (!unresolved.length) return tell("No unresolved report is selected.");
    return act({
        title: "Dismiss", lead: `${plural(unresolved.length, "report")}: no action is needed.`,
        orders: () => [resolve(unresolved, "dismissed")], text: `Dismissed ${plural(unresolved.length, "report")}`,
    });
}

/** The reports that an action resolves: its targets, and all others about the same subjects. */
function affected(list, targets) {
    const keys = new Set(targets.map(({ subject }) => subjectKey(subject)));
    return list.items.filter((report) => report.status !== "resolved" && keys.has(subjectKey(report.subject)));
}

const onlyOnce = (list, key) => [...new Map(list.map((item) => [key(item), item])).values()];

/** Removes content from its community. Content in none is taken down site-wide, and with `isWhole` all content. */
function removeSubjects(list, isWhole = false) {
    const targets = onlyOnce(list.targets.filter(({ subject }) => ["post", "comment"].includes(kindOf(subject))),
        ({ subject }) => subjectKey(subject));
    if (!targets.length) return tell("Only posts and comments can be removed.");
    const orders = new Map();
    for (const { subject, community } of targets) {
        const noun = kindOf(subject) === "post" ? "Post" : "Comment";
        const action = (isWhole || !community ? "takedown" : "remove") + noun;
        orders.set(action, [...(orders.get(action) ?? []), subject]);
    }
    const closed = affected(list, targets);
    const verb = isWhole ? "Take down" : "Remove";
    const what = plural(targets.length, targets.length === 1 ? kindOf(targets[0].subject) : "item");
    return act({
        title: verb, danger: true, lasts: true,
        lead: `${verb} ${what} and resolve ${plural(closed.length, "report")}.`,
        orders: () => [
            ...[...orders].map(([action, subjects]) => ({ action, subjects, lasts: true })),
            ...(closed.length ? [resolve(closed, "actioned")] : []),
        ],
        text: `${isWhole ? "Took down" : "Removed"} ${what}`,
    });
}

/** Warns, or bans from the community, or suspends if there is no community. */
function sanction(list, kind) {
    const targets = list.targets.filter((report) => report.user);
    if (!targets.length) return tell("This report does not concern a user.");
    const orders = new Map();
    for (const { user, community } of targets) {
        const key = community?.communityId ?? "";
        const order = orders.get(key) ?? {
            action: kind === "warn" ? "warnUser" : community ? "banMember" : "suspendUser",
            communityId: community?.communityId, subjects: [], lasts: true,
        };
        if (!order.subjects.some(({ userId }) => userId === user.userId)) order.subjects.push({ userId: user.userId });
        orders.set(key, order);
    }
    const closed = affected(list, targets);
    const who = targets.length === 1 ? `@${targets[0].user.username}` : plural(targets.length, "author");
    const where = targets.length === 1 ? ` ${targets[0].community ? `in ${targets[0].community.name}` : "on the whole site"}` : "";
    return act({
        title: kind === "warn" ? "Warn" : targets.some(({ community }) => community) ? "Ban" : "Suspend",
        danger: kind !== "warn", lasts: true, lead: `${who}${where}; resolves ${plural(closed.length, "report")}.`,
        orders: () => [...orders.values(), ...(closed.length ? [resolve(closed, "actioned")] : [])],
        text: `${kind === "warn" ? "Warned" : "Banned"} ${who}`,
    });
}
