// The column of cards: it reads page after page, plays the card in view, and keeps new posts until they are asked for.

import { Card } from "./card.js";
import { h, icon } from "./elements.js";
import { Feed } from "./feed.js";

export class Timeline {
    /** `pill` shows the number of new posts; `showAll` removes the filter. */
    constructor(scroller, pill, showAll) {
        this.scroller = scroller;
        this.pill = pill;
        this.showAll = showAll;
        const observer = (note, options) => new IntersectionObserver(note, { root: scroller, ...options });
        this.near = observer((entries) => this.noteNear(entries), { rootMargin: "90% 0px" });
        this.inView = observer((entries) => this.noteInView(entries), { threshold: 0.6 });
        pill.addEventListener("click", () => this.reveal());
        this.reset(null);
    }

    reset(feed) {
        for (const card of this.cards?.values() ?? []) card.setNear(false);
        this.near.disconnect();
        this.inView.disconnect();
        this.feed = feed;
        /** The cards by the ids of their posts, in no order. */
        this.cards = new Map();
        this.arrivals = [];
        this.current = null;
        this.isReading = false;
        this.scroller.replaceChildren();
        this.showPill();
    }

    /** Shows a feed from its beginning. */
    show(feed) {
        this.reset(feed);
        this.scroller.scrollTo({ top: 0, behavior: "instant" });
        this.placeholder = h("div.post.placeholder", { "aria-hidden": "true" }, h("div.stage.loading"));
        this.scroller.append(this.placeholder);
        return this.more();
    }

    /** Puts cards in the place of the placeholder, and a new one below: a view that is on it would move with it. */
    append(items) {
        const next = this.placeholder.cloneNode(true);
        this.placeholder.replaceWith(...items.map((item) => this.add(item).element), next);
        this.placeholder = next;
        this.number();
    }

    async more() {
        const { feed } = this;
        if (this.isReading || feed.isComplete) return;
        this.isReading = true;
        this.scroller.setAttribute("aria-busy", "true");
        try {
            // A page can be empty although the feed goes on.
            let items = [];
            while (!items.length && !feed.isComplete) items = await feed.next(this.cards);
            if (feed !== this.feed) return;
            this.append(items);
            if (feed.isComplete) this.end(this.cards.size ? "You have seen everything." : "There is nothing here yet.");
        } catch (error) {
            if (feed !== this.feed) return;
            // The list of a ranking is kept for a while only.
            if (error.code === "cursor_expired") this.again();
            else this.end(error.message, "Try again", () => this.show(new Feed(feed.name, feed.algorithms)));
        } finally {
            if (feed === this.feed) {
                this.isReading = false;
                this.scroller.setAttribute("aria-busy", "false");
            }
        }
    }

    again() {
        return this.show(new Feed(this.feed.name, this.feed.algorithms));
    }

    add(post) {
        const card = new Card(post, this.feed);
        this.cards.set(post.postId, card);
        this.near.observe(card.element);
        this.inView.observe(card.element);
        return card;
    }

    /** Says where each card is in the feed, whose length is unknown. */
    number() {
        this.articles().forEach((article, index) => {
            article.setAttribute("aria-posinset", index + 1);
            article.setAttribute("aria-setsize", -1);
        });
    }

    articles() {
        return [...this.scroller.querySelectorAll("article")];
    }

    end(text, action, act) {
        const isFiltered = !this.cards.size && this.feed.algorithms !== null;
        const button = act ? h("button.primary", { type: "button", onclick: act }, action)
            : isFiltered ? h("button.primary", { type: "button", onclick: this.showAll }, "Show all posts")
            : this.cards.size
                ? h("button.primary", { type: "button", onclick: () => this.again() }, icon("up"), "Back to the top")
                : null;
        const words = isFiltered && !act ? "No post has these algorithms." : text;
        this.placeholder.replaceWith(h("div.post.end", { role: "status" }, h("p", words), button));
    }

    noteNear(entries) {
        for (const { target, isIntersecting } of entries) {
            this.cards.get(target.dataset.post)?.setNear(isIntersecting);
            const isLast = target.nextElementSibling === this.placeholder;
            if (isIntersecting && isLast) this.more();
        }
        this.current?.play();
    }

    noteInView(entries) {
        for (const { target, isIntersecting } of entries) {
            const card = this.cards.get(target.dataset.post);
            if (!isIntersecting) card?.pause();
            else if (card) this.setCurrent(card);
        }
        this.current?.play();
    }

    setCurrent(card) {
        if (card === this.current) return;
        this.current?.pause();
        this.current?.element.removeAttribute("data-in-view");
        this.current = card;
        card.element.setAttribute("data-in-view", "");
    }

    /** Moves by a number of cards, and the focus with it. */
    move(step) {
        const articles = this.articles();
        const next = articles[Math.max(0, articles.indexOf(this.current?.element)) + step];
        if (!next) return;
        this.setCurrent(this.cards.get(next.dataset.post));
        next.scrollIntoView({ block: "start" });
        next.focus({ preventScroll: true });
    }

    /** Keeps a new post until the person asks for it. */
    arrive(post, selected) {
        if (!this.feed?.accepts(post, selected) || this.cards.has(post.postId)) return;
        if (this.arrivals.some((other) => other.postId === post.postId)) return;
        this.arrivals.unshift(post);
        this.showPill();
    }

    showPill() {
        const number = this.arrivals.length;
        this.pill.hidden = !number;
        this.pill.replaceChildren(icon("up"), `${number} new ${number === 1 ? "post" : "posts"}`);
    }

    reveal() {
        if (!this.arrivals.length) return;
        const cards = this.arrivals.map((post) => this.add(post).element);
        this.arrivals = [];
        this.showPill();
        this.scroller.querySelector(".end:first-child")?.remove();
        this.scroller.prepend(...cards);
        this.number();
        this.scroller.scrollTo({ top: 0 });
        cards[0]?.focus({ preventScroll: true });
    }
}
