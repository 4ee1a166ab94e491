// The picture or video of a post. Nothing is loaded before the moderator asks, and it is blurred at first. Files of this
// server are read with the moderator's token; media elsewhere is only a link.

import { file } from "./api.js";
import { fill, h, outside } from "./dom.js";

/** The loaded file of the box that is shown, to be released with it. */
let loaded = null;

/** Shows, reveals and blurs the media again, one after the other, for the key `v`. */
export function stepMedia(element) {
    element.querySelector("[data-media-step]")?.click();
}

/** `media` is `{url, thumbnailUrl}`. */
export function mediaBox(media) {
    if (!media?.url) return null;
    if (!isHere(media.url)) {
        return h("div.media", h("p.quiet", "The media is on another server. The link opens it in a new tab."),
            outside(media.url));
    }
    const isVideo = /\.(mp4|m4v|webm|mov|mkv|avi)$/i.test(new URL(media.url).pathname);
    const noun = isVideo ? "video" : "picture";
    const frame = h("div.frame");
    const status = h("p.quiet", { role: "status" });
    const step = h("button", { type: "button", "data-media-step": true });
    const name = h("span");
    step.append(name, h("kbd", "v"));
    const box = h("div.media", { role: "group", "aria-label": `Reported ${noun}` }, frame, h("div.actions", step, status));

    function offer(label, text, run) {
        fill(name, label);
        fill(status, text);
        step.onclick = run;
    }

    async function load(address, make) {
        step.disabled = true;
        fill(status, "Loading…");
        try {
            const blob = await file(address);
            if (loaded) URL.revokeObjectURL(loaded);
            loaded = URL.createObjectURL(blob);
            fill(frame, make(loaded));
            return true;
        } catch (error) {
            offer("Try again", error.message, hide);
            return false;
        } finally {
            step.disabled = false;
        }
    }

    // A video without a poster is itself blurred, at its beginning.
    const hasPoster = isVideo && media.thumbnailUrl && isHere(media.thumbnailUrl);
    const player = (src) => h("video", { src, playsinline: true, muted: true });
    function hide() {
        frame.className = "frame";
        fill(frame, h("p.quiet", `The ${noun} is not loaded.`));
        offer(`Show ${noun}, blurred`, "", blur);
    }
    async function blur() {
        frame.className = "frame blurred";
        const isLoaded = await load(hasPoster ? media.thumbnailUrl : media.url,
            isVideo && !hasPoster ? player : (src) => h("img", { src, alt: `Blurred ${noun}` }));
        if (isLoaded) offer("Show without blur", "Blurred.", reveal);
        else frame.className = "frame";
    }
    async function reveal() {
        if (hasPoster && !(await load(media.url, player))) return;
        frame.className = "frame";
        frame.querySelector("img")?.setAttribute("alt", `Reported ${noun}`);
        frame.querySelector("video")?.setAttribute("controls", "");
        offer(`Hide ${noun}`, "Shown without blur.", hide);
    }
    hide();
    return box;
}

/** True for a file of the server that this page comes from. */
function isHere(address) {
    try {
        const url = new URL(address);
        return url.origin === location.origin && url.pathname.startsWith("/media/");
    } catch {
        return false;
    }
}
