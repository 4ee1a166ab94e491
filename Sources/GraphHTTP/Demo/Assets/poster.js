// The picture of a post: a video or picture that is stored on this server, or else a moving picture that the page draws.

import { h, hash } from "./elements.js";
import { sceneOf } from "./scenes.js";
import { file } from "./session.js";

const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const FRAME = 1_000 / 30;

/** Returns the player of a post: {element, play, pause, remove}. */
export function player(post) {
    const path = storedPath(post.mediaUrl);
    return path ? new StoredMedia(path) : new Drawing(post);
}

function storedPath(address) {
    const url = URL.parse(address);
    return url?.origin === location.origin && url.pathname.startsWith("/media/") ? url.pathname : null;
}

/** A scene on a canvas. */
class Drawing {
    constructor(post) {
        this.element = h("canvas", { "aria-hidden": "true" });
        const seed = hash(post.postId + post.mediaUrl);
        this.draw = sceneOf(post.category, seed);
        // Scenes begin at different moments, so that two of a kind do not move alike.
        this.time = seed % 60;
        this.frame = null;
        this.sizes = new ResizeObserver(() => this.fit());
        this.sizes.observe(this.element);
    }

    fit() {
        const scale = Math.min(devicePixelRatio, 2);
        this.element.width = this.element.clientWidth * scale;
        this.element.height = this.element.clientHeight * scale;
        this.show();
    }

    show() {
        const { width, height } = this.element;
        if (width && height) this.draw(this.element.getContext("2d"), width, height, this.time);
    }

    play() {
        if (this.frame !== null || isStill.matches) return;
        let last = performance.now();
        const step = (now) => {
            this.frame = requestAnimationFrame(step);
            if (now - last < FRAME) return;
            this.time += Math.min(now - last, 100) / 1_000;
            last = now;
            this.show();
        };
        this.frame = requestAnimationFrame(step);
    }

    pause() {
        if (this.frame !== null) cancelAnimationFrame(this.frame);
        this.frame = null;
    }

    remove() {
        this.pause();
        this.sizes.disconnect();
        this.element.remove();
    }
}

/** A stored file. It is read with the token, because it may be hidden from others, and shown as a `blob:` address. */
class StoredMedia {
    constructor(path) {
        this.element = h("div.media");
        this.address = null;
        this.isPlaying = false;
        this.isGone = false;
        this.load(path).catch((error) => this.element.append(h("p.missing", error.message)));
    }

    async load(path) {
        const blob = await file(path);
        if (this.isGone) return;
        this.address = URL.createObjectURL(blob);
        const isVideo = blob.type.startsWith("video/");
        this.media = isVideo
            ? h("video", { src: this.address, loop: true, playsinline: true })
            : h("img", { src: this.address, alt: "" });
        this.media.muted = true;
        this.element.append(this.media);
        if (this.isPlaying) this.play();
    }

    play() {
        this.isPlaying = true;
        // A browser may refuse to play by itself. The first frame shows then.
        if (!isStill.matches) this.media?.play?.().catch(() => null);
    }

    pause() {
        this.isPlaying = false;
        this.media?.pause?.();
    }

    remove() {
        this.isGone = true;
        this.element.remove();
        if (this.address) URL.revokeObjectURL(this.address);
    }
}
