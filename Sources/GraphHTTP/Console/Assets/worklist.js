// A queue for work with the keyboard: rows on the left, the selected item in full on the right. It is reloaded every ten
// seconds, and the selection stays.

import { hasDialog } from "./acting.js";
import { fill, h, plural } from "./dom.js";
import { button, empty, problem } from "./parts.js";

const narrow = matchMedia("(width < 700px)");
const REFRESH = 10_000;
const PAGE = 50;

export class Worklist {
    /**
     * `load(cursor, limit)` returns a page, `key(item)` identifies an item, `row(item)` and `detail(item)` draw it, and
     * `none` is the text of an empty queue.
     */
    constructor({ label, load, key, row, detail, none }) {
        Object.assign(this, { load, key, row, detail, none });
        this.items = [];
        this.rows = new Map();
        this.marked = new Set();
        this.selected = null;
        this.next = null;
        this.list = h("div.rows", {
            role: "listbox", tabindex: 0, "aria-label": label, "aria-multiselectable": "true",
            onkeydown: (event) => { if (event.key === "Enter" && this.selected) this.open(this.selected); },
        });
        this.media = { key: null, element: null };
        this.more = h("div.more", { hidden: true }, button("More", () => this.loadMore()));
        this.pane = h("section.pane", { "aria-label": "Selected" });
        this.status = h("p.quiet", { role: "status" });
        this.element = h("div.worklist",
            h("div.left", h("div.status", this.status, h("span.grow"), button("Mark all", () => this.markAll())), this.list,
                this.more),
            this.pane);
        // On a narrow screen the list and the selected item take turns, and "back" returns to the list.
        this.onBack = () => this.read(false);
        this.onActed = () => this.refresh();
    }

    async start() {
        document.addEventListener("acted", this.onActed);
        window.addEventListener("popstate", this.onBack);
        this.timer = setInterval(() => {
            if (!hasDialog() && !document.hidden) this.refresh();
        }, REFRESH);
        this.list.focus({ preventScroll: true });
        await this.refresh();
    }

    stop() {
        clearInterval(this.timer);
        document.removeEventListener("acted", this.onActed);
        window.removeEventListener("popstate", this.onBack);
        this.isStopped = true;
    }

    get current() { return this.items.find((item) => this.key(item) === this.selected) ?? null; }

    /** The targets of an action: the marked items, or else the selected one. */
    get targets() {
        const marked = this.items.filter((item) => this.marked.has(this.key(item)));
        return marked.length ? marked : this.current ? [this.current] : [];
    }

    /** Reloads as many items as are shown. Of concurrent reloads, the last one counts. */
    async refresh() {
        const reading = (this.reading = Symbol("reading"));
        try {
            let page = await this.load(null, PAGE);
            let items = page.items;
            while (page.nextCursor && items.length < this.items.length) {
                page = await this.load(page.nextCursor, PAGE);
                items = items.concat(page.items);
            }
            if (reading === this.reading && !this.isStopped) this.show(items, page.nextCursor);
        } catch (error) {
            if (reading === this.reading && !this.isStopped) fill(this.status, problem(error));
        }
    }

    async loadMore() {
        try {
            const page = await this.load(this.next, PAGE);
            this.show(this.items.concat(page.items), page.nextCursor);
        } catch (error) {
            fill(this.status, problem(error));
        }
    }

    show(items, next) {
        const index = this.items.findIndex((item) => this.key(item) === this.selected);
        this.items = items;
        this.next = next;
        const keys = new Set(items.map(this.key));
        for (const key of this.marked) if (!keys.has(key)) this.marked.delete(key);
        // If the selected item is gone, its successor is selected.
        if (!keys.has(this.selected)) this.selected = items.length ? this.key(items[clamp(index, items.length)]) : null;
        this.draw();
    }

    draw() {
        const old = this.rows;
        this.rows = new Map();
        for (const item of this.items) {
            const key = this.key(item);
            const text = JSON.stringify(item);
            const known = old.get(key);
            this.rows.set(key, known?.text === text ? known : { text, element: this.makeRow(item, key) });
        }
        const elements = [...this.rows.values()].map(({ element }) => element);
        if (elements.length !== this.list.childElementCount
            || elements.some((element, place) => this.list.children[place] !== element)) fill(this.list, elements);
        if (!this.items.length) fill(this.list, empty(this.none, "New items appear automatically."));
        this.more.hidden = !this.next;
        this.mark();
    }

    makeRow(item, key) {
        return h("div.item", {
            role: "option", id: `item-${key}`, "data-key": key, onclick: () => this.open(key),
        }, h("span.tick", { "aria-hidden": "true" }), h("div.grow", this.row(item)));
    }

    /** Shows the selection and the marks, and draws the selected item in full if it has changed. */
    mark() {
        for (const [key, { element }] of this.rows) {
            element.setAttribute("aria-selected", String(key === this.selected));
            element.classList.toggle("marked", this.marked.has(key));
        }
        if (this.selected) this.list.setAttribute("aria-activedescendant", `item-${this.selected}`);
        else this.list.removeAttribute("aria-activedescendant");
        const marks = this.marked.size ? `, ${count(this.marked.size)} marked` : "";
        fill(this.status, `${plural(this.items.length, "item")}${this.next ? " and more" : ""}${marks}`);
        const shown = this.rows.get(this.selected)?.text ?? "";
        if (shown === this.shown) return;
        this.shown = shown;
        if (!this.current) this.read(false);
        fill(this.pane, this.current ? [
            h("div.back", button("Back to the list", () => history.back())), this.detail(this.current),
        ] : []);
    }

    /** The media of an item, by its key. It stays as it is while the item is drawn again. */
    mediaOf(item, make) {
        const key = this.key(item);
        if (this.media.key !== key) this.media = { key, element: make() };
        return this.media.element;
    }

    /** Shows the selected item instead of the list, or the list again, where there is no room for both. */
    read(isReading) {
        this.element.classList.toggle("reading", isReading);
        if (!isReading) return this.rows.get(this.selected)?.element.scrollIntoView({ block: "nearest" });
        this.pane.scrollTop = 0;
    }

    open(key) {
        this.select(key);
        if (this.element.classList.contains("reading") || !narrow.matches) return;
        history.pushState(null, "");
        this.read(true);
        this.pane.querySelector("button")?.focus();
    }

    select(key) {
        this.selected = key;
        this.mark();
        this.rows.get(key)?.element.scrollIntoView({ block: "nearest" });
    }

    move(by) {
        if (!this.items.length) return;
        const index = this.items.findIndex((item) => this.key(item) === this.selected);
        this.select(this.key(this.items[clamp(index + by, this.items.length)]));
    }

    toggleMark() {
        if (!this.selected) return;
        if (!this.marked.delete(this.selected)) this.marked.add(this.selected);
        if (this.element.classList.contains("reading")) history.back();
        else this.move(1);
        this.mark();
    }

    /** A button for the selected item that marks it, or takes the mark away. */
    markButton() {
        return button("Mark", () => this.toggleMark(), { key: "m", title: "Mark for an action on several items" });
    }

    markAll() {
        const all = this.items.map(this.key);
        const isAll = all.every((key) => this.marked.has(key));
        this.marked = new Set(isAll ? [] : all);
        this.mark();
    }

    /** Keys of every queue, also for the help: [key, description, function]. */
    get keys() {
        return [
            ["j", "next", () => this.move(1)], ["k", "previous", () => this.move(-1)],
            ["ArrowDown", null, () => this.move(1)], ["ArrowUp", null, () => this.move(-1)],
            ["m", "mark for a bulk action", () => this.toggleMark()], ["*", "mark all or none", () => this.markAll()],
        ];
    }
}

const clamp = (index, length) => Math.max(0, Math.min(index, length - 1));
const count = (number) => String(number);
