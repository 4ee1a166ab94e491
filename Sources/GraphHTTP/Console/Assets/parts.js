// Parts that several views share.

import { get, me } from "./api.js";
import { at, count, h, plural, when } from "./dom.js";

const ACTIONS = {
    removePost: "removed a post", restorePost: "restored a post", takedownPost: "took down a post",
    reinstatePost: "reinstated a post", holdPost: "held a post", approvePost: "approved a post", pinPost: "pinned a post",
    unpinPost: "unpinned a post", featurePost: "featured a post", unfeaturePost: "unfeatured a post",
    removeComment: "removed a comment", restoreComment: "restored a comment", takedownComment: "took down a comment",
    reinstateComment: "reinstated a comment", holdComment: "held a comment", approveComment: "approved a comment",
    banMember: "banned", unbanMember: "unbanned", setMemberRole: "set a role", approveRequest: "approved a join request",
    declineRequest: "declined a join request", lockCommunity: "locked", unlockCommunity: "unlocked", archiveCommunity: "archived",
    unarchiveCommunity: "unarchived", makeCommunityPrivate: "made private",
    makeCommunityPublic: "made public", renameCommunity: "renamed", transferCommunity: "transferred", warnUser: "warned",
    silenceUser: "silenced", suspendUser: "suspended", reinstateUser: "reinstated", setSiteRole: "set a site role",
    claimReport: "claimed a report", releaseReport: "released a report", resolveReport: "resolved a report",
    decideAppeal: "decided an appeal", undo: "undid", expire: "expired",
};
export const ACTION_NAMES = Object.keys(ACTIONS);
const GRAVE = new Set(["banMember", "suspendUser", "takedownPost", "takedownComment", "silenceUser"]);

export const actionText = (action) => ACTIONS[action] ?? action;

export function actionBadge(action) {
    return h(GRAVE.has(action) ? "span.badge.bad" : "span.badge", { title: action }, actionText(action));
}

export function userLink(user, communityId) {
    if (!user) return h("span.quiet", "nobody");
    const query = communityId ? `?communityId=${communityId}` : "";
    return h("a.user", { href: `#/user/${user.userId}${query}` }, `@${user.username}`);
}

export function communityLink(community) {
    if (!community) return h("span.quiet", "whole site");
    return h("a", { href: `#/community/${community.communityId}` }, community.name);
}

const KINDS = ["post", "comment", "user", "community", "report", "appeal"];

export const kindOf = (subject) => KINDS.find((kind) => subject[`${kind}Id`]);
export const idOf = (subject) => subject[`${kindOf(subject)}Id`];
export const subjectKey = (subject) => `${kindOf(subject)} ${idOf(subject)}`;

export function subjectLabel(subject) {
    const kind = kindOf(subject);
    const text = `${kind} ${idOf(subject)}`;
    if (kind === "user") return h("a.mono", { href: `#/user/${subject.userId}` }, text);
    if (kind === "community") return h("a.mono", { href: `#/community/${subject.communityId}` }, text);
    if (kind === "report" || kind === "appeal") return h("span.mono", text);
    return h("a.mono", { href: `#/modlog?${kind}Id=${idOf(subject)}` }, text);
}

/** Badges for a user's roles and restrictions. */
export function states(user) {
    return [
        user.siteRole && h("span.badge.good", user.siteRole),
        user.silencedAt && h("span.badge.warn", { title: user.silencedAt }, "silenced"),
        user.suspendedAt && h("span.badge.bad", { title: user.suspendedAt }, "suspended"),
    ];
}

export function empty(text, hint) {
    return h("div.empty", h("p", text), hint && h("p.quiet", hint));
}

export function problem(error) {
    return h("p.problem", { role: "alert" }, error.message);
}

/** A list of names and values. Pairs without a value are left out. */
export function facts(...pairs) {
    return h("dl.facts", pairs.filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => [h("dt", name), h("dd", value)]));
}

export function button(label, onclick, { key, danger = false, disabled = false, title } = {}) {
    return h(danger ? "button.danger" : "button", { type: "button", onclick, disabled, title },
        label, key && h("kbd", key));
}

/** A choice stored in the address: `#/reports?status=open`. */
export function choice(label, name, options, parameters) {
    return h("label.inline", label, h("select", {
        "data-name": name, value: parameters[name] ?? "",
        onchange: (event) => go(parameters, { [name]: event.target.value }),
    }, options.map(([value, text]) => h("option", { value }, text))));
}

/** A choice of the caller's communities. `all` is the label of the option without a community. */
export function communityChoice(parameters, all = "all communities") {
    const known = me.communities.map(({ communityId, name }) => [communityId, name]);
    const chosen = parameters.communityId;
    if (chosen && !known.some(([id]) => id === chosen)) known.push([chosen, `community ${chosen}`]);
    return choice("Community", "communityId", [...(all ? [["", all]] : []), ...known], parameters);
}

/** Opens the same view with other parameters. */
export function go(parameters, changes) {
    const next = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value);
    const [path] = location.hash.split("?");
    location.hash = next.length ? `${path}?${new URLSearchParams(next)}` : path;
}

/** A search box whose text is stored in the address. */
export function wordsBox(label, name, parameters, placeholder) {
    const input = h("input", { type: "search", name, value: parameters[name] ?? "", placeholder, "data-search": true });
    return h("form.inline", {
        role: "search", onsubmit: (event) => { event.preventDefault(); go(parameters, { [name]: input.value.trim() }); },
    }, h("label.inline", label, input));
}

/** Finds a user by name, also one visible to site moderators only. Throws if there is none. */
export async function findUser(name) {
    const username = name.trim().replace(/^@/, "");
    if (!me.siteRole) return get(`/v1/users/by-username/${encodeURIComponent(username)}`);
    const { items } = await get("/v1/moderation/users", { username });
    if (!items.length) throw new Error(`There is no user named "${username}".`);
    return items[0];
}

/** One modlog entry as a short line. */
export function entryLine(entry) {
    return h("li", { class: entry.endedBy ? "entry ended" : "entry" },
        actionBadge(entry.action), entry.community && h("a.clip", { href: `#/community/${entry.community.communityId}` },
            entry.community.name),
        h("span.grow.wrap", entry.reason), entry.actor && h("span.quiet", `@${entry.actor.username}`),
        h("span.quiet", when(entry.createdAt)));
}

/** Facts about a user that moderators need before a decision. */
export function historyOf(user) {
    return [
        h("div.row", states(user), h("span.badge", `${count(user.reportsOpen)} open of ${plural(user.reportsTotal, "report")}`),
            h(user.strikes.length ? "span.badge.warn" : "span.badge", plural(user.strikes.length, "strike"))),
        user.entries.length
            ? h("ul.entries", user.entries.slice(0, 6).map(entryLine))
            : h("p.quiet", "No earlier actions concern this user."),
    ];
}

/** A table; `columns` are names, `rows` lists of cells. On a narrow screen each row is a card, so roles are explicit. */
export function table(caption, columns, rows) {
    return h("div.scroll", h("table", { role: "table" }, h("caption.unseen", caption),
        h("thead", h("tr", { role: "row" }, columns.map((name) => h("th", { scope: "col", role: "columnheader" }, name)))),
        h("tbody", rows.map((cells) => h("tr", { role: "row" },
            cells.map((cell, place) => h("td", { role: "cell", "data-label": columns[place] || null }, cell)))))));
}

/** A list that grows by pages. `load(cursor)` returns `{items, nextCursor}`, `draw(items)` creates the element. */
export async function pages(load, draw, none) {
    const element = h("div");
    let items = [];
    async function more(cursor) {
        const page = await load(cursor);
        items = items.concat(page.items);
        element.replaceChildren(items.length ? draw(items) : empty(none));
        if (page.nextCursor) element.append(h("div.more", button("More", (event) => {
            event.target.disabled = true;
            more(page.nextCursor).catch((error) => element.append(problem(error)));
        })));
    }
    await more(null);
    return element;
}

export { at, count, plural, when };
