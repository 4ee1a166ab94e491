// A user's home timeline with the reason for each post, and the reasons why a given post is in it or is not.

import { get } from "./api.js";
import { fill, h, outside } from "./dom.js";
import { at, communityLink, empty, findUser, go, pages, problem, userLink } from "./parts.js";

const REASONS = {
    own: () => "own post or reshare", everybody: () => "public", topic: ({ topic }) => `topic ${topic}`,
    algorithm: ({ tag }) => `tag ${tag}`, category: ({ category }) => `category ${category}`,
    follows: ({ username }) => `follows @${username}`, collaborator: ({ username }) => `co-author @${username}`,
    reshare: ({ username }) => `reshared by @${username}`, community: ({ name }) => `community ${name}`,
};

export async function explorer(_, parameters) {
    const bar = [box("User", "user", parameters, "username", true)];
    if (!parameters.user) {
        return { title: "Explorer", bar, element: empty("Choose a user", "Shows a user's home timeline with the reasons for each post.") };
    }
    const user = await findUser(parameters.user);
    const home = await pages((cursor) => get(`/v1/moderation/users/${user.userId}/home`, { limit: 30, cursor }),
        (items) => h("ol.posts", items.map(post)), "This home timeline is empty.");
    const verdict = h("div", { role: "status" });
    const why = await answer(user, parameters.post, verdict);
    return {
        title: "Explorer", bar,
        element: h("div.columns",
            h("section", h("h2", "Home of ", userLink(user)), home),
            h("aside", h("section.card", h("h2", "Why, or why not"),
                box("Post", "post", parameters, "post id"),
                why ?? h("p.quiet", "Explains why a post is in this home timeline, or why it is not."), verdict))),
    };
}

function box(label, name, parameters, placeholder, isSearch = false) {
    const input = h("input", { type: "search", name, value: parameters[name] ?? "", placeholder, "data-search": isSearch });
    return h("form.inline", {
        onsubmit: (event) => { event.preventDefault(); go(parameters, { [name]: input.value.trim() }); },
    }, h("label.inline", label, input), h("button", { type: "submit" }, "Show"));
}

async function answer(user, postId, element) {
    if (!postId) return null;
    try {
        const { visible, reasons } = await get(`/v1/moderation/users/${user.userId}/why/${encodeURIComponent(postId)}`);
        return [
            h("p", h("span", { class: visible ? "badge good" : "badge bad" }, visible ? "shown" : "not shown"), " ",
                h("span.mono", postId)),
            h("ul.reasons", reasons.map(({ kind, text }) => h("li", { title: kind }, text))),
        ];
    } catch (error) {
        fill(element, problem(error));
        return [];
    }
}

function post(item) {
    return h("li.post",
        h("div.row", userLink(item.author), item.communityId && communityLink({
            communityId: item.communityId, name: `community ${item.communityId}`,
        }), h("span.grow"), h("span.quiet", at(item.createdAt))),
        item.title && h("strong.wrap", item.title), h("div.wrap", item.caption), outside(item.mediaUrl),
        h("div.row", (item.why ?? []).map((reason) => h("span.badge.good", { title: reason.kind }, text(reason))),
            h("span.grow"), h("span.mono.quiet", item.postId)));
}

function text(reason) {
    return reason.text ?? REASONS[reason.kind]?.(reason) ?? reason.kind;
}
