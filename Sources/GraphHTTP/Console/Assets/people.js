// Search for users by name, and one user with the facts that moderators need.

import { act } from "./acting.js";
import { get, me } from "./api.js";
import { h } from "./dom.js";
import {
    at, button, communityLink, count, empty, entryLine, facts, pages, plural, states, table, userLink, when, wordsBox,
} from "./parts.js";

export async function people(_, parameters) {
    const element = parameters.q
        ? await pages((cursor) => get("/v1/moderation/users", { q: parameters.q, limit: 50, cursor }), draw,
            "No users found.")
        : empty("Search for a name.", "Suspended people are found too.");
    return { title: "People", element, bar: [wordsBox("Search", "q", parameters, "name or username")] };
}

function draw(items) {
    return table("People", ["User", "Name", "Since", "State"], items.map((user) => [
        userLink(user), h("span.wrap", user.displayName ?? ""), at(user.createdAt), h("div.row", states(user)),
    ]));
}

export async function user([id], parameters) {
    const { communityId } = parameters;
    const found = await get(`/v1/moderation/users/${id}`, { communityId });
    return {
        title: `@${found.username}`, reloads: true,
        element: h("div.columns",
            h("section",
                h("h2", "History"),
                found.entries.length ? h("ul.entries", found.entries.map(entryLine))
                    : empty("No actions concern this user."),
                h("p", h("a", { href: `#/modlog?userId=${id}` }, "Full history in the modlog")),
                h("h2", plural(found.strikes.length, "strike")),
                found.strikes.length ? strikes(found) : h("p.quiet", "No active strikes.")),
            h("aside", overview(found, communityId), memberships(found.communities))),
        bar: [
            h("a.button", { href: `#/reports?userId=${id}&status=all` }, `Reports ${count(found.reportsTotal)}`),
            me.siteRole && h("a.button", { href: `#/explorer?user=${encodeURIComponent(found.username)}` }, "Home timeline"),
        ],
    };
}

function strikes({ strikes: list, communities }) {
    const place = (id) => id && (communities.find(({ communityId }) => communityId === id)
        ?? { communityId: id, name: `community ${id}` });
    return table("Strikes", ["For", "Where", "Since", "Until"], list.map((strike) => [
        h("span.wrap", strike.reason), communityLink(place(strike.communityId)), at(strike.createdAt),
        strike.expiresAt ? when(strike.expiresAt) : "forever",
    ]));
}

function overview(user, communityId) {
    return h("section.card",
        h("div.row", h("h2", `@${user.username}`), states(user)),
        user.displayName && h("p.wrap", user.displayName),
        facts(["Id", h("span.mono", user.userId)], ["Since", at(user.createdAt)], ["Posts", count(user.postsCount)],
            ["Followers", count(user.followersCount)],
            ["Reports", `${count(user.reportsOpen)} open, ${count(user.reportsTotal)} in total`],
            ["Silenced", user.silencedAt && when(user.silencedAt)],
            ["Suspended", user.suspendedAt && when(user.suspendedAt)]),
        h("div.actions", actions(user, communityId)));
}

/** Actions that end a restriction, and so have no end of their own. */
const ENDS = new Set(["unbanMember", "reinstateUser"]);

function actions(user, communityId) {
    const one = (title, action, { danger = false, more = {}, fields, key } = {}) => button(title, () => act({
        title, danger, lasts: !ENDS.has(action), fields, lead: `@${user.username}`, text: `${title}: @${user.username}`,
        orders: (answers) => [{
            action, subjects: [{ userId: user.userId }], lasts: true, ...more, ...(key ? { [key]: answers[key] } : {}),
        }],
    }), { danger });
    const inCommunity = communityId && [
        one("Warn", "warnUser", { more: { communityId } }), one("Ban", "banMember", { danger: true, more: { communityId } }),
        one("Unban", "unbanMember", { more: { communityId } }),
    ];
    if (!me.siteRole) return inCommunity;
    const role = [h("label", "Role", h("select", { name: "role", value: user.siteRole ?? "none" },
        ["none", "moderator", "admin"].map((name) => h("option", { value: name }, name))))];
    return [
        inCommunity || one("Warn", "warnUser"),
        !user.silencedAt && one("Silence", "silenceUser", { danger: true }),
        !user.suspendedAt && one("Suspend", "suspendUser", { danger: true }),
        (user.silencedAt || user.suspendedAt) && one("Reinstate", "reinstateUser"),
        me.siteRole === "admin" && one("Site role", "setSiteRole", { danger: true, fields: role, key: "role" }),
    ];
}

function memberships(list) {
    if (!list.length) return null;
    return h("section.card", h("h2", "Communities"), h("ul.plain", list.map((community) => h("li.row",
        communityLink(community), h("span.grow"), community.banned ? h("span.badge.bad", "banned")
            : h("span.badge", community.role)))));
}
