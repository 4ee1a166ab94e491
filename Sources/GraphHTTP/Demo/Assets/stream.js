// The event stream of the person who is signed in: new items of the home timeline, and notifications.

import { open } from "./session.js";

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Follows the stream until `signal` ends it. After a lost connection it goes on with the event after the last one, so
 * that nothing is missed and nothing comes twice.
 *
 * `handlers` has a function for each event (`home`, `notification`, `reset`), which takes its data, and `connected`,
 * which takes true or false.
 */
export async function follow(signal, handlers) {
    let last = null;
    let pause = FIRST_PAUSE;
    while (!signal.aborted) {
        try {
            const answer = await open("/v1/stream", { headers: last ? { "Last-Event-ID": last } : {}, signal });
            handlers.connected(true);
            pause = FIRST_PAUSE;
            for await (const event of events(answer.body)) {
                last = event.id ?? last;
                handlers[event.name]?.(JSON.parse(event.data));
            }
        } catch (error) {
            if (signal.aborted || error.status === 401) return;
        }
        handlers.connected(false);
        await rest(pause, signal);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
}

/** The events of a body: {name, id, data}. Comments and events without data are left out. */
async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        yield* blocks.map(parse).filter((event) => event.data);
    }
}

function parse(block) {
    const event = { name: "message", id: null, data: "" };
    for (const line of block.split("\n")) {
        const [, field, value] = line.match(/^(\w+): ?(.*)$/) ?? [];
        if (field === "event") event.name = value;
        else if (field === "id") event.id = value;
        else if (field === "data") event.data += value;
    }
    return event;
}

function rest(milliseconds, signal) {
    return new Promise((resume) => {
        const timer = setTimeout(resume, milliseconds);
        signal.addEventListener("abort", () => { clearTimeout(timer); resume(); }, { once: true });
    });
}
