// The feeds that the page can show, and the reading of one page after the other.

import { get } from "./session.js";

export const FEEDS = {
    home: { path: "/v1/timelines/home", title: "Home", icon: "home", algorithm: "home-chronological" },
    forYou: { path: "/v1/timelines/for-you", title: "For you", icon: "forYou", algorithm: "for-you" },
    trending: { path: "/v1/timelines/trending", title: "Trending", icon: "trending", algorithm: "trending" },
};

const PAGE = 8;

/** A feed from its newest item on. `algorithms` is null for all posts, `selected`, or a tag. */
export class Feed {
    constructor(name, algorithms = null) {
        this.name = name;
        this.algorithms = algorithms;
        this.cursor = null;
        this.isComplete = false;
    }

    /** Reads the next page. Posts that are already shown, because they arrived live, are left out. */
    async next(shown) {
        const page = await get(FEEDS[this.name].path, {
            limit: PAGE, cursor: this.cursor, algorithms: this.algorithms, explain: true,
            window: this.name === "trending" ? "7d" : null,
        });
        this.cursor = page.nextCursor;
        this.isComplete = page.nextCursor === null;
        return page.items.filter((item) => !shown.has(item.postId));
    }

    /** True if a new item of the home timeline belongs to this feed. */
    accepts(post, selected) {
        if (this.name !== "home") return false;
        if (this.algorithms === null) return true;
        const wanted = this.algorithms === "selected" ? selected : [this.algorithms];
        const tags = new Set(post.algorithmTags.map((tag) => tag.toLowerCase()));
        return wanted.some((tag) => tags.has(tag.toLowerCase()));
    }
}

const SENTENCES = {
    own: () => "Your own post",
    follows: (reason) => `You follow ${reason.username}`,
    collaborator: (reason) => `With ${reason.username}, whom you follow`,
    reshare: (reason) => `Reshared by ${reason.username}`,
    topic: (reason) => `In your topic ${reason.topic}`,
    community: (reason) => `In your community ${reason.name}`,
    algorithm: (reason) => `Algorithm ${reason.tag}`,
    category: (reason) => `Category ${reason.category}`,
    public: () => "A public post",
    trending: () => "Trending this week",
};

/** A reason of an item as a few words. Recommendations bring their own text. */
export const sentence = (reason) => reason.text ?? SENTENCES[reason.kind]?.(reason) ?? reason.kind;

const REASON_ICONS = {
    own: "person", follows: "person", collaborator: "people", reshare: "reshare", topic: "topic",
    community: "community", algorithm: "algorithms", category: "topic", public: "community", trending: "trending",
    popular: "trending", liked: "heart", saved: "save", shared: "reshare", commented: "comment", new: "forYou",
};

export const reasonIcon = (reason) => REASON_ICONS[reason.kind ?? reason.type] ?? "forYou";
