// Live metrics of the server, read every two seconds and kept for three minutes.

import { get } from "./api.js";
import { percentiles, plot, scaleOf } from "./charts.js";
import { fill, h } from "./dom.js";
import { count, problem, when } from "./parts.js";

const EVERY = 2_000;
const ROOM = 90;

export async function dashboard() {
    const element = h("div.dashboard");
    const history = { deliveries: [], pending: [], oldest: [], hits: [], slowest: [] };
    let timer = null;
    let isStopped = false;
    async function tick() {
        try {
            const now = await get("/v1/moderation/dashboard");
            if (isStopped) return;
            keep(history, now);
            fill(element, draw(now, history));
        } catch (error) {
            if (isStopped) return;
            fill(element, problem(error));
        }
        timer = setTimeout(tick, EVERY);
    }
    return {
        title: "Dashboard", element, start: tick,
        stop: () => {
            isStopped = true;
            clearTimeout(timer);
        },
        bar: [h("span.quiet", "live, updated every two seconds")],
    };
}

function keep(history, now) {
    const values = {
        deliveries: now.deliveriesPerSecond ?? 0, pending: now.outbox.pending, oldest: now.outbox.oldestMs ?? 0,
        hits: now.windows.hits + now.windows.misses > 0 ? now.windows.hitRate * 100 : null,
        slowest: now.latency.length ? Math.max(...now.latency.map(({ p99 }) => p99)) : null,
    };
    for (const [name, value] of Object.entries(values)) {
        history[name].push(value);
        if (history[name].length > ROOM) history[name].shift();
    }
}

function draw(now, history) {
    const { hits, misses } = now.windows;
    return [
        h("div.tiles",
            trend("Deliveries per second", rounded(now.deliveriesPerSecond), history.deliveries, count),
            trend("Outbox", `${count(now.outbox.pending)} pending`, history.pending, count,
                now.outbox.pending > 1000 && "warn"),
            trend("Oldest job", milliseconds(now.outbox.oldestMs ?? 0), history.oldest, milliseconds,
                now.outbox.oldestMs > 10_000 && "bad"),
            trend("Window hits", hits + misses ? `${(now.windows.hitRate * 100).toFixed(1)} %` : "no reads", history.hits,
                (high) => `${high} %`),
            trend("Slowest p99", milliseconds(history.slowest.at(-1)), history.slowest, milliseconds)),
        h("div.tiles.small",
            tile("Drift", now.drift.checked ? `${count(now.drift.found)} of ${count(now.drift.checked)}` : "not checked",
                h("p.quiet", now.drift.lastAt ? ["checked ", when(now.drift.lastAt)] : "windows that differ from the graph"),
                now.drift.found > 0 && "bad"),
            work("Open reports", now.reports.open, "#/reports"), work("Held", now.queue.held, "#/queue"),
            work("Open appeals", now.appeals.open, "#/appeals")),
        latency(now.latency),
    ];
}

function tile(name, value, below, state) {
    return h("section.tile", { class: `tile ${state || ""}` }, h("h3", name), h("p.figure", value), below);
}

function trend(name, value, values, unit, state) {
    const high = scaleOf(values);
    return tile([name, h("span", unit(high))], value, plot(name, values, { room: ROOM, high }), state);
}

function work(name, number, address) {
    return h("a.tile", { href: address }, h("h3", name), h("p.figure", count(number)));
}

function latency(routes) {
    const sorted = [...routes].sort((a, b) => b.count - a.count).slice(0, 24);
    const high = Math.max(1, ...sorted.map(({ p99 }) => p99));
    return h("section.card.latency", h("h2", "Latency"),
        h("div.scroll", h("table", h("caption.unseen", "Latency by route"),
            h("thead", h("tr", ["Route", "Requests", "p50", "p90", "p99", ""].map((name) => h("th", { scope: "col" }, name)))),
            h("tbody", sorted.map((route) => h("tr",
                h("td.mono.wrap", route.route), cell("Requests", count(route.count)), cell("p50", milliseconds(route.p50)),
                cell("p90", milliseconds(route.p90)), cell("p99", milliseconds(route.p99)),
                h("td.gauge", percentiles(`latency of ${route.route}`, route, high))))))),
        !sorted.length && h("p.quiet", "No requests yet."));
}

const cell = (label, text) => h("td.number", { "data-label": label }, text);

const rounded = (number) => count(Math.round((number ?? 0) * 10) / 10);

function milliseconds(value) {
    if (value === null || value === undefined) return "–";
    if (value >= 10_000) return `${count(Math.round(value / 1000))} s`;
    return `${value >= 10 ? Math.round(value) : Math.round(value * 100) / 100} ms`;
}
