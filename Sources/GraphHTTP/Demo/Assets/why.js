// "Why do I see this?": the server's own answer, from the rule that builds the page.

import { avatar, fill, h, icon, nameOf } from "./elements.js";
import { FEEDS, reasonIcon, sentence } from "./feed.js";
import { get } from "./session.js";
import { openSheet, pending } from "./sheets.js";

export function showWhy(post, feed) {
    openSheet("Why do I see this?",
        h("div.quoted", avatar(post.author), h("p", h("strong", nameOf(post.author)), " ", post.caption)),
        pending(async () => reasonList(await reasons(post, feed))),
        h("h3", `How ${FEEDS[feed.name].title} is made`),
        pending(() => description(FEEDS[feed.name].algorithm)));
}

/** The home timeline explains any post; items of the other feeds came with their reasons. */
async function reasons(post, feed) {
    if (feed.name !== "home") return post.reasons.map((reason) => ({ ...reason, text: sentence(reason) }));
    const verdict = await get(`/v1/timelines/home/why/${post.postId}`, { algorithms: feed.algorithms });
    return verdict.reasons;
}

function reasonList(reasons) {
    return h("ul.reasons", reasons.map((reason) => h("li", icon(reasonIcon(reason)), h("span", reason.text))));
}

/** The description of an algorithm, with its inputs. */
export async function description(name) {
    const { algorithms } = await get("/v1/algorithms");
    const found = algorithms.find((algorithm) => algorithm.name === name);
    return fill(h("div.algorithm"),
        h("p.quiet", found.description),
        h("p.inputs", found.inputs.map((input) => h("span.tag", input))));
}
