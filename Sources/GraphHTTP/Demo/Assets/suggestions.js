// People to follow: the authors of recommended and popular posts whom the person does not follow yet.

import { followButton } from "./acts.js";
import { avatar, h, nameOf } from "./elements.js";
import { FEEDS } from "./feed.js";
import { get, me } from "./session.js";

const SHOWN = 5;

/** A list of people, each with a reason and a button. */
export async function suggestions() {
    const pages = await Promise.all([
        get(FEEDS.forYou.path, { limit: 60 }), get(FEEDS.trending.path, { window: "7d", limit: 60 }),
    ]);
    const authors = new Map();
    for (const post of pages.flatMap((page) => page.items)) {
        if (post.viewer.following || post.author.userId === me.userId || authors.has(post.author.userId)) continue;
        authors.set(post.author.userId, post);
    }
    const people = [...authors.values()].slice(0, SHOWN).map(person);
    return people.length ? h("ul.people", people) : h("p.quiet", "You follow everybody who is popular now.");
}

function person({ author, category, algorithmTags: [tag] }) {
    const subject = category ?? tag;
    return h("li", avatar(author),
        h("div.names", h("strong", nameOf(author)), h("span", subject ? `Posts on ${subject}` : `@${author.username}`)),
        followButton(author, false));
}
