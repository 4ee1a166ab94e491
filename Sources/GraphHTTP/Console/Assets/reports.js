// Users' reports: claim, judge and resolve them. All reports about one post, comment, user or community are one row, and
// a decision resolves all that the row counts. A report that comes in later stays open, in a row of its own.

import { act, actAtOnce, tell } from "./acting.js";
import { get, me } from "./api.js";
import { fill, h } from "./dom.js";
import { mediaBox, stepMedia } from "./media.js";
import {
    at, button, choice, communityChoice, communityLink, count, facts, historyOf, idOf, kindOf, plural, subjectKey,
    subjectLabel, userLink, when,
} from "./parts.js";
import { Worklist } from "./worklist.js";

const STATUS = [["open", "open"], ["claimed", "claimed"], ["resolved", "resolved"], ["all", "all"]];
const KINDS = [["", "anything"], ["post", "posts"], ["comment", "comments"], ["user", "users"], ["community", "communities"]];

/** Largest number of subjects of one order, and of reports of one page. */
const ORDER = 1000;
const PAGE = 100;

export async function reports(_, parameters) {
    const shown = { status: "open", ...parameters };
    const list = new Worklist({
        label: "Reports", none: "No reports. Well done.", row, detail: (reported) => detail(reported, keys, list),
        key: ({ subject, status, community }) =>
            [kindOf(subject), idOf(subject), status, community?.communityId ?? "site"].join("-"),
        load: (cursor, limit) => get("/v1/moderation/cases", { ...shown, cursor, limit }),
    });
    const keys = [
        ...list.keys,
        ["v", "show the media, reveal it, hide it", () => stepMedia(list.pane)],
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

function row(reported) {
    const { status, reportsCount, reasons } = reported;
    return [
        h("div.row",
            h("span.badge", kindOf(reported.subject)),
            h(reportsCount > 1 ? "span.badge.warn" : "span.badge", plural(reportsCount, "report")),
            h("strong.clip", reported.user ? `@${reported.user.username}` : reported.community?.name ?? ""),
            h("span.grow"), status === "claimed" && h("span.badge.good", `@${reported.claimedBy?.username}`),
            status === "resolved" && h("span.badge", reported.resolution), h("span.quiet", when(reported.lastReportedAt))),
        h("div.clip", reasons.map(({ reason, count: times }) => times > 1 ? `${reason} ×${count(times)}` : reason).join(", ")),
        h("div.quiet.clip", reported.excerpt || "(gone)"),
    ];
}

function detail(reported, keys, list) {
    const run = (key) => keys.find(([name]) => name === key)?.[2];
    const content = h("div.quote", reported.excerpt || "(gone)");
    const history = h("div.stack", h("p.quiet", "Looking…"));
    const kind = kindOf(reported.subject);
    if (kind === "post") showWhole(reported.subject.postId, content);
    if (reported.user) showHistory(reported, history);
    const isOpen = reported.status !== "resolved";
    const { reportsCount, reports: latest } = reported;
    return [
        h("div.row", h("h2", `Reported ${kind}`),
            h(reportsCount > 1 ? "span.badge.warn" : "span.badge", plural(reportsCount, "report"))),
        content,
        list.mediaOf(reported, () => mediaBox(reported.media)),
        isOpen && h("div.actions.decisions",
            reported.status === "claimed" ? button("Release", run("r"), { key: "r" }) : button("Claim", run("c"), { key: "c" }),
            button("Dismiss", run("d"), { key: "d" }), reported.user && button("Warn", run("w"), { key: "w" }),
            (kind === "post" || kind === "comment") && button("Remove", run("x"), { key: "x", danger: true }),
            reported.user && button(reported.community ? "Ban" : "Suspend", run("b"), { key: "b", danger: true }),
            me.siteRole && (kind === "post" || kind === "comment")
                && button("Take down", run("t"), { key: "t", danger: true }),
            list.markButton()),
        h("h3", "Reasons"),
        h("ul.plain", reported.reasons.map(({ reason, count: times }) => h("li.row",
            h("strong.wrap", reason), h("span.quiet", `${count(times)} of ${count(reportsCount)}`)))),
        facts(
            ["Community", reported.community && communityLink(reported.community)],
            ["Author", reported.user && userLink(reported.user, reported.community?.communityId)],
            ["Subject", subjectLabel(reported.subject)],
            ["First reported", at(reported.firstReportedAt)],
            ["Last reported", reportsCount > 1 ? at(reported.lastReportedAt) : null],
            ["Claimed by", reported.claimedBy && userLink(reported.claimedBy)],
            ["Resolved", reported.resolution && [reported.resolution, " ", at(reported.resolvedAt)]]),
        h("h3", reportsCount > latest.length ? `The latest ${latest.length} of ${plural(reportsCount, "report")}`
            : plural(reportsCount, "report")),
        h("ul.entries", latest.map((report) => h("li.entry",
            report.reporter ? userLink(report.reporter) : h("span.quiet", "graphd itself"),
            h("div.grow.wrap", report.reason, report.note && h("div.quiet", report.note)),
            h("span.quiet", when(report.createdAt))))),
        reported.user && [h("h3", "Before"), history],
    ];
}

async function showWhole(postId, element) {
    const post = await get(`/v1/posts/${postId}`).catch(() => null);
    // If the caller cannot open the post, its excerpt stays.
    if (post) fill(element, post.title && h("strong", post.title, h("br")), post.caption);
}

async function showHistory(reported, element) {
    const parameters = { communityId: me.siteRole ? undefined : reported.community?.communityId };
    const user = await get(`/v1/moderation/users/${reported.user.userId}`, parameters).catch(() => null);
    fill(element, user ? historyOf(user) : h("p.quiet", "You may not see this user's history."));
}

/** The reports that a row counts, as subjects of orders. Reports that came in later are not among them. */
async function reportsOf(reported) {
    const { subject, status, community, latestReportId } = reported;
    const place = community?.communityId ?? null;
    const found = [];
    // A cursor is an id, and reports are listed from the one below it.
    let cursor = String(BigInt(latestReportId) + 1n);
    while (cursor) {
        const page = await get("/v1/moderation/reports", {
            kind: kindOf(subject), subjectId: idOf(subject), status, communityId: place, limit: PAGE, cursor,
        });
        found.push(...page.items.filter((report) => (report.community?.communityId ?? null) === place));
        cursor = page.nextCursor;
    }
    return found.map(({ reportId }) => ({ reportId }));
}

/** Orders of `action` for all reports of these rows. */
async function ordersFor(rows, action, more = {}) {
    const subjects = (await Promise.all(rows.map(reportsOf))).flat();
    const orders = [];
    for (let start = 0; start < subjects.length; start += ORDER) {
        orders.push({ action, subjects: subjects.slice(start, start + ORDER), ...more });
    }
    return orders;
}

const resolve = (rows, resolution) => ordersFor(rows, "resolveReport", { resolution });
const size = (rows) => rows.reduce((sum, { reportsCount }) => sum + reportsCount, 0);

async function claim(targets) {
    const open = targets.filter(({ status }) => status === "open");
    if (!open.length) return tell("No open report is selected.");
    await actAtOnce(() => ordersFor(open, "claimReport"), "Claimed", `Claimed ${plural(size(open), "report")}`);
    document.dispatchEvent(new Event("acted"));
}

async function release(targets) {
    const claimed = targets.filter(({ status }) => status === "claimed");
    if (!claimed.length) return tell("No claimed report is selected.");
    await actAtOnce(() => ordersFor(claimed, "releaseReport"), "Released", `Released ${plural(size(claimed), "report")}`);
    document.dispatchEvent(new Event("acted"));
}

const LATER = "A report that comes in meanwhile stays open.";

function dismiss(targets) {
    const unresolved = targets.filter(({ status }) => status !== "resolved");
    if (!unresolved.length) return tell("No unresolved report is selected.");
    const what = plural(size(unresolved), "report");
    return act({
        title: "Dismiss", lead: `${what}: no action is needed. ${LATER}`,
        orders: () => resolve(unresolved, "dismissed"), text: `Dismissed ${what}`,
    });
}

/** The rows that an action resolves: its targets, and all others about the same subjects. */
function affected(list, targets) {
    const keys = new Set(targets.map(({ subject }) => subjectKey(subject)));
    return list.items.filter(({ status, subject }) => status !== "resolved" && keys.has(subjectKey(subject)));
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
        lead: `${verb} ${what} and resolve ${plural(size(closed), "report")}. ${LATER}`,
        orders: async () => [
            ...[...orders].map(([action, subjects]) => ({ action, subjects, lasts: true })),
            ...await resolve(closed, "actioned"),
        ],
        text: `${isWhole ? "Took down" : "Removed"} ${what}, resolved ${plural(size(closed), "report")}`,
    });
}

/** Warns, or bans from the community, or suspends if there is no community. */
function sanction(list, kind) {
    const targets = list.targets.filter(({ user }) => user);
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
    const title = kind === "warn" ? "Warn" : targets.some(({ community }) => community) ? "Ban" : "Suspend";
    const done = { Warn: "Warned", Ban: "Banned", Suspend: "Suspended" }[title];
    return act({
        title, danger: kind !== "warn", lasts: true,
        lead: `${who}${where}; resolves ${plural(size(closed), "report")}. ${LATER}`,
        orders: async () => [...orders.values(), ...await resolve(closed, "actioned")],
        text: `${done} ${who}, resolved ${plural(size(closed), "report")}`,
    });
}
