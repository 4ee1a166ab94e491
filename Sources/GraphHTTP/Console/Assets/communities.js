// Communities that the caller moderates, one of them in full, and its members.

import { act } from "./acting.js";
import { get, me } from "./api.js";
import { h } from "./dom.js";
import {
    at, button, choice, count, facts, findUser, pages, plural, table, userLink, when, wordsBox,
} from "./parts.js";

export async function communities(_, parameters) {
    const draw = (items) => table("Communities",
        ["Community", "Your role", "Members", "Open reports", "Held", "State"], items.map((community) => [
            h("a", { href: `#/community/${community.communityId}` }, h("strong", community.name)),
            community.role ?? (me.siteRole ? `site ${me.siteRole}` : ""), count(community.membersCount),
            waiting("reports", community.openReports, community), waiting("queue", community.held, community),
            h("div.row", badges(community)),
        ]));
    const element = await pages((cursor) => get("/v1/moderation/communities", { limit: 50, cursor, q: parameters.q }),
        draw, "You do not moderate a community.");
    return { title: "Communities", element, bar: [me.siteRole && wordsBox("Search", "q", parameters, "name")] };
}

function waiting(view, number, { communityId }) {
    if (!number) return h("span.quiet", "0");
    return h("a.badge.warn", { href: `#/${view}?communityId=${communityId}` }, count(number));
}

function badges(community) {
    return [
        community.private && h("span.badge", "private"), community.locked && h("span.badge.warn", "locked"),
        community.archived && h("span.badge.bad", "archived"),
    ];
}

export async function community([id], parameters) {
    const path = `/v1/moderation/communities/${id}`;
    const card = await get(path);
    const requests = card.requestsCount > 0
        ? await get(`/v1/communities/${id}/requests`, { limit: 50 }) : { items: [] };
    const isBanned = parameters.show === "banned";
    const list = await pages((cursor) => get(`${path}/members`, {
        q: parameters.q, banned: isBanned ? "true" : undefined, limit: 50, cursor,
    }), (items) => isBanned ? bans(items, id) : members(items, id), isBanned ? "No users are banned." : "No users found.");
    return {
        title: card.name, reloads: true,
        element: h("div.columns",
            h("section", h("div.row", h("h2", "Members"), h("span.grow"),
                choice("Show", "show", [["", "members"], ["banned", "banned"]], parameters),
                !isBanned && wordsBox("Search", "q", parameters, "username")), list),
            h("aside", overview(card, id), requests.items.length > 0 && joining(requests.items, card.requestsCount, id))),
        bar: [
            h("a.button", { href: `#/reports?communityId=${id}` }, `Reports ${count(card.openReports)}`),
            h("a.button", { href: `#/queue?communityId=${id}` }, `Held ${count(card.held)}`),
            h("a.button", { href: `#/modlog?communityId=${id}` }, "Modlog"),
            h("a.button", { href: `#/rules?communityId=${id}` }, `Rules ${count(card.rulesCount)}`),
        ],
    };
}

function overview(card, communityId) {
    const order = (action, more = {}) => () => [{ action, subjects: [{ communityId }], ...more }];
    const change = (title, action, { danger = false, lasts = false } = {}) => button(title, () => act({
        title, danger, lasts, lead: card.name, orders: order(action, { lasts }), text: `${title}: ${card.name}`,
    }), { danger });
    return h("section.card",
        h("div.row", h("h2.wrap", card.name), badges(card)),
        card.description && h("p.quote", card.description),
        facts(["Members", count(card.membersCount)], ["Your role", card.role ?? me.siteRole],
            ["Moderators", h("ol.plain", card.moderators.map((user) => h("li", userLink(user, communityId), " ",
                h("span.quiet", user.role))))],
            ["Pinned", posts(card.pins)], ["Featured", posts(card.featured)]),
        h("div.actions",
            card.locked ? change("Unlock", "unlockCommunity") : change("Lock", "lockCommunity", { lasts: true }),
            card.archived ? change("Unarchive", "unarchiveCommunity")
                : change("Archive", "archiveCommunity", { danger: true, lasts: true }),
            card.private ? change("Make public", "makeCommunityPublic", { danger: true })
                : change("Make private", "makeCommunityPrivate"),
            button("Rename", () => rename(card, communityId)), button("Transfer", () => transfer(card, communityId),
                { danger: true })));
}

function posts(list) {
    if (!list.length) return null;
    return h("ul.plain", list.map((postId) => h("li", h("a.mono", { href: `#/modlog?postId=${postId}` }, postId))));
}

function rename(card, communityId) {
    const fields = [h("label", "New name", h("input", { name: "name", maxlength: 100, value: card.name, required: true }))];
    return act({
        title: "Rename", fields, lead: card.name,
        orders: ({ name }) => [{ action: "renameCommunity", subjects: [{ communityId }], name }],
        text: `Renamed ${card.name}`,
    });
}

function transfer(card, communityId) {
    const fields = [h("label", "New owner", h("input", { name: "successor", required: true, placeholder: "username" }))];
    return act({
        title: "Transfer", fields, danger: true, lead: `${card.name} goes to another member.`,
        orders: async ({ successor }) => {
            const { userId } = await findUser(successor);
            return [{ action: "transferCommunity", subjects: [{ communityId }], successorId: userId }];
        },
        text: `Transferred ${card.name}`,
    });
}

function members(items, communityId) {
    return table("Members", ["Member", "Role", "Joined", "Strikes", ""], items.map((member) => [
        userLink(member, communityId), h(member.role === "member" ? "span" : "span.badge.good", member.role),
        at(member.joinedAt),
        h(member.strikes ? "span.badge.warn" : "span.quiet", count(member.strikes)),
        h("div.actions", memberActions(member, communityId)),
    ]));
}

function memberActions(member, communityId) {
    const one = (title, action, more = {}, danger = false) => button(title, () => act({
        title, danger, lasts: true, lead: `@${member.username}`, text: `${title}: @${member.username}`,
        orders: () => [{ action, subjects: [{ userId: member.userId }], communityId, lasts: true, ...more }],
    }), { danger });
    if (member.role === "owner") return [];
    return [
        member.role === "moderator" ? one("To member", "setMemberRole", { role: "member" })
            : one("To moderator", "setMemberRole", { role: "moderator" }),
        one("Warn", "warnUser"), one("Ban", "banMember", {}, true),
    ];
}

function bans(items, communityId) {
    return table("Banned", ["User", "Since", "Until", "Reason", ""], items.map((ban) => [
        userLink(ban.user, communityId), at(ban.since), ban.endsAt ? when(ban.endsAt) : "forever",
        h("span.wrap", ban.reason),
        button("Unban", () => act({
            title: "Unban", lead: `@${ban.user.username}; the former membership is restored.`,
            orders: () => [{ action: "unbanMember", subjects: [{ userId: ban.user.userId }], communityId }],
            text: `Unbanned @${ban.user.username}`,
        })),
    ]));
}

function joining(items, number, communityId) {
    const decide = (user, title, action, danger) => button(title, () => act({
        title, danger, lead: `@${user.username}`, text: `${title}: @${user.username}`,
        orders: () => [{ action, subjects: [{ userId: user.userId }], communityId }],
    }), { danger });
    return h("section.card", h("h2", plural(number, "join request")),
        h("ul.plain", items.map((user) => h("li.row", userLink(user), h("span.grow"),
            decide(user, "Approve", "approveRequest", false), decide(user, "Decline", "declineRequest", true)))));
}
