// One post of the feed: its picture, its words, and what can be done with it.

import { followButton, toggle } from "./acts.js";
import { showComments } from "./comments.js";
import { avatar, count, h, icon, nameOf, when } from "./elements.js";
import { reasonIcon, sentence } from "./feed.js";
import { player } from "./poster.js";
import { showWhy } from "./why.js";

export class Card {
    constructor(post, feed) {
        this.post = post;
        this.feed = feed;
        this.player = null;
        this.isPaused = false;
        this.like = toggle(post, "like");
        this.tap = h("button.tap", {
            type: "button", "aria-label": "Pause", tabindex: "-1", onclick: () => this.pauseOrPlay(),
            ondblclick: () => this.heart(),
        }, icon("play"));
        this.stage = h("div.stage", h("div.shade"), this.tap, this.words());
        this.element = h("article.post", {
            tabindex: "0", "data-post": post.postId, "aria-labelledby": `by-${post.postId} caption-${post.postId}`,
        }, this.stage, this.rail());
    }

    words() {
        const { post } = this;
        return h("div.words",
            h("div.by", avatar(post.author),
                h("div.names", h("strong", { id: `by-${post.postId}` }, nameOf(post.author)),
                    h("span", h("span.handle", `@${post.author.username}`), when(post.createdAt))),
                post.viewer.isAuthor ? null : followButton(post.author, post.viewer.following)),
            h("p.caption", { id: `caption-${post.postId}` }, post.title ? h("strong", post.title, " ") : null, post.caption),
            h("ul.tags", { "aria-label": "Algorithms" }, post.algorithmTags.map((tag) => h("li.tag", tag))),
            this.reason());
    }

    reason() {
        const reasons = this.post.reasons ?? [];
        const first = reasons.find((reason) => reason.kind !== "public") ?? reasons[0];
        return h("button.reason", { type: "button", "data-act": "why", onclick: () => showWhy(this.post, this.feed) },
            icon(first ? reasonIcon(first) : "why"), h("span", first ? sentence(first) : "New in your timeline"),
            h("span.more", "Why?"));
    }

    rail() {
        const { post } = this;
        const number = h("span.count");
        const comments = h("button.act", {
            type: "button", "data-act": "comments", onclick: () => showComments(post, () => show(post.commentsCount += 1)),
        }, icon("comment"), number);
        const show = (commentsCount) => {
            number.textContent = count(commentsCount);
            comments.setAttribute("aria-label", `Comments, ${commentsCount}`);
        };
        show(post.commentsCount);
        return h("div.rail",
            this.like,
            comments,
            toggle(post, "reshare"),
            toggle(post, "save"));
    }

    /** Puts the picture in place when the card comes near, or takes it away to free its memory. */
    setNear(isNear) {
        if (isNear && !this.player) {
            this.player = player(this.post);
            this.stage.prepend(this.player.element);
        } else if (!isNear && this.player) {
            this.player.remove();
            this.player = null;
        }
    }

    play() {
        if (!this.isPaused) this.player?.play();
    }

    pause() {
        this.player?.pause();
    }

    pauseOrPlay() {
        this.isPaused = !this.isPaused;
        this.stage.toggleAttribute("data-paused", this.isPaused);
        this.tap.setAttribute("aria-label", this.isPaused ? "Play" : "Pause");
        if (this.isPaused) this.pause();
        else this.play();
    }

    /** A double tap likes the post, and never takes a like back. */
    heart() {
        const burst = h("span.burst", { "aria-hidden": "true" }, icon("heart"));
        burst.addEventListener("animationend", () => burst.remove());
        this.stage.append(burst);
        if (!this.post.viewer.liked) this.like.click();
    }

    press(act) {
        this.element.querySelector(act === "follow" ? "[data-follow]" : `[data-act=${act}]`)?.click();
    }
}
