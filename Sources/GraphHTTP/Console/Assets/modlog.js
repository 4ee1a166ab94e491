// All decisions of moderators, and a check that the log is unchanged.

import { ask, tell, undoBatch } from "./acting.js";
import { get, me, remove } from "./api.js";
import { fill, h } from "./dom.js";
import {
    ACTION_NAMES, actionBadge, actionText, at, button, choice, communityChoice, communityLink, count, findUser, go, pages,
    plural, subjectLabel, table, userLink, when,
} from "./parts.js";

export async function modlog(_, parameters) {
    const { communityId, actorId, userId, postId, commentId, batch, action } = parameters;
    const asked = { communityId, actorId, userId, postId, commentId, batch, action };
    const element = await pages((cursor) => get("/v1/moderation/modlog", { ...asked, limit: 50, cursor }),
        (items) => draw(items, parameters), "No entries match.");
    const narrowed = ["actorId", "userId", "postId", "commentId", "batch"].filter((name) => parameters[name]);
    return {
        title: "Modlog", element: h("div", element), reloads: true,
        bar: [
            choice("Action", "action", [["", "all actions"], ...ACTION_NAMES.map((name) => [name, actionText(name)])],
                parameters),
            communityChoice(parameters, me.siteRole ? "everywhere" : "all communities"),
            person("By", "actorId", parameters), person("About", "userId", parameters),
            narrowed.map((name) => button(`${name} ${parameters[name]} ×`, () => go(parameters, { [name]: "" }))),
            me.siteRole && verifier(),
        ],
    };
}

function person(label, name, parameters) {
    if (parameters[name]) return null;
    const input = h("input.narrow", { name, placeholder: "username", type: "search" });
    return h("form.inline", {
        onsubmit: async (event) => {
            event.preventDefault();
            try {
                go(parameters, { [name]: (await findUser(input.value)).userId });
            } catch (error) {
                tell(error.message, { isProblem: true });
            }
        },
    }, h("label.inline", label, input));
}

function verifier() {
    const answer = h("span", { role: "status" });
    return [button("Verify", async (event) => {
        event.target.disabled = true;
        fill(answer, h("span.quiet", "Reading the whole log…"));
        try {
            const { entries, head, valid, brokenAt } = await get("/v1/moderation/modlog/verify");
            fill(answer, valid
                ? h("span.badge.good", { title: `head ${head}` }, `${count(entries)} entries verified, head ${head.slice(0, 12)}…`)
                : h("span.badge.bad", `broken at entry ${brokenAt}`));
        } catch (error) {
            fill(answer, h("span.badge.bad", error.message));
        }
        event.target.disabled = false;
    }), answer];
}

function draw(items, parameters) {
    return table("Modlog", ["When", "Who", "What", "Subject", "Where", "Why", "Batch"],
        items.map((entry) => [
            at(entry.createdAt),
            entry.actor ? userLink(entry.actor) : h("span.quiet", "graphd"),
            h("div.row", h(entry.endedBy ? "span.ended" : "span", actionBadge(entry.action)), details(entry.detail)),
            h("div.subject", entry.user && userLink(entry.user), subjectLabel(entry.subject)),
            communityLink(entry.community), why(entry),
            h("div.subject",
                h("button.link.mono", {
                    type: "button", title: `batch ${entry.batch}`, onclick: () => go(parameters, { batch: entry.batch }),
                }, String(entry.batch).slice(-6)),
                !entry.endedBy && entry.action !== "expire" && button("Undo", () => confirmUndo(entry))),
        ]));
}

/** The details of an order, such as `role moderator`. */
function details(detail) {
    return Object.entries(detail ?? {}).filter(([, value]) => value !== null && typeof value !== "object")
        .map(([name, value]) => h("span.badge", `${name} ${value}`));
}

function why(entry) {
    const until = entry.endedBy ? "ended" : entry.expiresAt && ["ends ", when(entry.expiresAt)];
    return h("div.why", h("div.wrap", entry.reason), until && h("span.badge", until), entry.note && h("div.quiet.wrap", entry.note,
        me.siteRole === "admin" && h("button.link", {
            type: "button", title: "Erase this note; the hash chain stays valid",
            onclick: () => eraseNote(entry),
        }, "erase")));
}

async function eraseNote(entry) {
    try {
        await remove(`/v1/moderation/modlog/${entry.entryId}/note`);
        tell("Erased the note.");
        document.dispatchEvent(new Event("acted"));
    } catch (error) {
        tell(error.message, { isProblem: true });
    }
}

async function confirmUndo(entry) {
    const { items, nextCursor } = await get("/v1/moderation/modlog", { batch: entry.batch, limit: 100 });
    const size = nextCursor ? `more than ${items.length} entries` : plural(items.length, "entry");
    if (items.length === 1 && !nextCursor) return undoBatch(entry.batch);
    return ask({
        title: "Undo batch", lead: `Undoes ${size}.`, danger: true, submit: (answers, dryRun) => dryRun
            ? `This would undo ${size}.` : undoBatch(entry.batch, answers.reason),
    });
}
