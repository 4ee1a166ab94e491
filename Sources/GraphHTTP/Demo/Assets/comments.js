// The comments of a post, newest first, and a field to write one.

import { avatar, h, icon, nameOf, when } from "./elements.js";
import { get, post as send } from "./session.js";
import { openSheet, pending, toast } from "./sheets.js";

/** `added` is called after the person has commented. */
export function showComments(post, added) {
    const field = h("input", {
        name: "content", "aria-label": "Your comment", placeholder: "Add a comment", maxlength: 2_000, autocomplete: "off",
    });
    const list = h("ul.comments");
    const form = h("form.say", field, h("button.round.primary", { "aria-label": "Send" }, icon("send")));
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        const content = field.value.trim();
        if (!content) return;
        try {
            list.prepend(comment(await send(`/v1/posts/${post.postId}/comments`, { content })));
            field.value = "";
            added();
        } catch (error) {
            toast(error.message, "problem");
        }
    });
    openSheet("Comments", form, pending(async () => {
        const { items } = await get(`/v1/posts/${post.postId}/comments`, { limit: 50 });
        list.append(...items.filter((item) => !item.deleted).map(comment));
        if (!list.childElementCount) list.append(h("li.none.quiet", "Nobody has commented yet."));
        return list;
    }));
}

function comment(item) {
    return h("li", avatar(item.author),
        h("div", h("p.by", h("strong", nameOf(item.author)), " ", when(item.createdAt)), h("p", item.content)));
}
