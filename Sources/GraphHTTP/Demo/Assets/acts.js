// Likes, reshares, saves and follows. A button shows the new state at once, and the former one again if the server
// refuses.

import { h, icon, count, fill } from "./elements.js";
import { put, remove } from "./session.js";
import { toast } from "./sheets.js";

const TOGGLES = {
    like: {
        path: (id) => `/v1/posts/${id}/like`, flag: "liked", counter: "likesCount", icon: "heart", words: ["Like", "Liked"],
    },
    reshare: {
        path: (id) => `/v1/posts/${id}/reshare`, flag: "reshared", counter: "sharesCount", icon: "reshare",
        words: ["Reshare", "Reshared"],
    },
    save: {
        path: (id) => `/v1/posts/${id}/save`, flag: "saved", counter: null, icon: "save", words: ["Save", "Saved"],
    },
};

/** A button that likes, reshares or saves a post, and takes it back. */
export function toggle(post, act) {
    const { path, flag, counter, icon: name, words } = TOGGLES[act];
    const label = h("span.count");
    const button = h("button.act", {
        type: "button", "data-act": act, onclick: () => alone(button, change),
    }, icon(name), label);

    function show() {
        const isOn = post.viewer[flag];
        button.setAttribute("aria-pressed", isOn);
        button.setAttribute("aria-label", counter ? `${words[0]}, ${post[counter]}` : words[0]);
        label.textContent = counter ? count(post[counter]) : words[isOn ? 1 : 0];
    }

    function set(isOn) {
        post.viewer[flag] = isOn;
        if (counter) post[counter] += isOn ? 1 : -1;
        show();
    }

    async function change() {
        const isOn = !post.viewer[flag];
        set(isOn);
        try {
            const counts = await (isOn ? put : remove)(path(post.postId));
            if (counter && counts) post[counter] = counts[counter];
            show();
        } catch (error) {
            set(!isOn);
            toast(error.message, "problem");
        }
    }

    show();
    return button;
}

/** Performs what a button asks for, unless the button is still busy. */
async function alone(button, act) {
    if (button.hasAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    await act();
    button.removeAttribute("aria-busy");
}

/** The state of each author who has been shown: `none`, `following`, or `requested` for a private account. */
const states = new Map();
const WORDS = { none: "Follow", following: "Following", requested: "Requested" };

/** A button that follows a person, and takes it back. All buttons of a person change together. */
export function followButton(person, isFollowing) {
    if (!states.has(person.userId)) states.set(person.userId, isFollowing ? "following" : "none");
    const button = h("button.follow", {
        type: "button", "data-follow": person.userId, onclick: () => alone(button, () => change(person)),
    });
    show(button, person);
    return button;
}

export const forgetFollows = () => states.clear();

function show(button, person) {
    const state = states.get(person.userId);
    button.setAttribute("aria-pressed", state !== "none");
    button.setAttribute("aria-label", `${WORDS[state]} ${person.username}`);
    fill(button, WORDS[state]);
}

function set(person, state) {
    states.set(person.userId, state);
    for (const button of document.querySelectorAll(`[data-follow="${person.userId}"]`)) show(button, person);
}

async function change(person) {
    const before = states.get(person.userId);
    set(person, before === "none" ? "following" : "none");
    try {
        const answer = await (before === "none" ? put : remove)(`/v1/users/${person.userId}/follow`);
        if (answer?.status === "requested") set(person, "requested");
    } catch (error) {
        set(person, before);
        toast(error.message, "problem");
    }
}
