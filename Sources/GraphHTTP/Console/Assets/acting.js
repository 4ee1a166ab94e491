// Orders of moderators: a dialog asks for a reason, the orders are sent, and a toast offers to undo them.

import { post } from "./api.js";
import { fill, h, plural } from "./dom.js";

const LENGTHS = [
    ["", "forever"], ["3600", "1 hour"], ["86400", "1 day"], ["259200", "3 days"], ["604800", "7 days"],
    ["2592000", "30 days"], ["7776000", "90 days"], ["31536000", "1 year"],
];

/** Acts of this session that can be undone, the latest last: {text, batches}. */
const done = [];
/** Reasons given in this session, offered as suggestions. */
const reasons = new Set();

export function hasDialog() {
    return document.querySelector("dialog[open]") !== null;
}

/**
 * Asks for a reason, sends the orders and shows a toast.
 *
 * `orders(answers)` returns, or promises, a list of `{action, subjects, communityId?, …}`. Those with `lasts: true` get
 * the duration that the moderator chooses. `fields` are labels with an input, whose names are the keys of `answers`.
 * Resolves to true if the orders were carried out.
 */
export function act({ title, lead, danger = false, lasts = false, fields = [], orders, text }) {
    return ask({
        title, lead, danger, lasts, fields,
        submit: async (answers, dryRun) => {
            const filled = (await orders(answers)).map(({ lasts: ends, ...order }) => ({
                ...order, reason: answers.reason, note: answers.note || undefined,
                duration: ends && answers.duration ? Number(answers.duration) : undefined,
            }));
            if (dryRun) return preview(filled);
            await carryOut(filled, text);
            reasons.add(answers.reason);
        },
    });
}

/** Sends the orders that `orders` promises without a dialog, because they concern moderators only. */
export async function actAtOnce(orders, reason, text) {
    try {
        await carryOut((await orders()).map((order) => ({ ...order, reason })), text);
        return true;
    } catch (error) {
        tell(error.message, { isProblem: true });
        return false;
    }
}

async function preview(orders) {
    let changed = 0;
    for (const order of orders) changed += (await post("/v1/moderation/actions", { ...order, dryRun: true })).changed;
    return changed === 0 ? "This would change nothing." : `This would make ${plural(changed, "change")}.`;
}

async function carryOut(orders, text) {
    const batches = [];
    let changed = 0;
    try {
        for (const order of orders) {
            const answer = await post("/v1/moderation/actions", order).catch((error) => {
                // The orders may have closed the case themselves.
                if (batches.length && error.code === "already_decided") return { batch: null, changed: 0 };
                throw error;
            });
            changed += answer.changed;
            if (answer.batch) batches.push(answer.batch);
        }
    } catch (error) {
        if (batches.length) offerUndo({ text: `Partly done: ${text}`, batches });
        throw error;
    }
    if (batches.length) offerUndo({ text, batches });
    else tell(changed === 0 ? "No change was needed." : text);
}

function offerUndo(act) {
    done.push(act);
    act.toast = tell(act.text, { label: "Undo", key: "u", run: () => undo(act) });
}

/** Undoes the latest act of this session. */
export function undoLast() {
    const act = done.at(-1);
    if (!act) return tell("There is nothing to undo.");
    return undo(act);
}

/** Undoes a batch of the modlog. */
export function undoBatch(batch, reason) {
    return undo({ text: `batch ${batch}`, batches: [batch], reason });
}

async function undo(act) {
    const index = done.indexOf(act);
    if (index >= 0) done.splice(index, 1);
    act.toast?.remove();
    const left = [...act.batches];
    const inverse = [];
    try {
        while (left.length) {
            const answer = await post(`/v1/moderation/batches/${left.at(-1)}/undo`, { reason: act.reason });
            if (answer.batch) inverse.push(answer.batch);
            left.pop();
        }
        const opposite = { text: act.text, batches: inverse, isUndo: !act.isUndo };
        opposite.toast = tell(`${act.isUndo ? "Redone" : "Undone"}: ${act.text}`, inverse.length
            ? { label: act.isUndo ? "Undo" : "Redo", run: () => undo(opposite) } : {});
    } catch (error) {
        if (left.length) done.push({ ...act, batches: left });
        tell(error.message, { isProblem: true });
    }
    document.dispatchEvent(new Event("acted"));
}

/** Shows a toast that disappears by itself. `run` is the action of its button. */
export function tell(text, { label, key, run, isProblem = false } = {}) {
    const close = () => toast.remove();
    const button = run && h("button.link", { type: "button", onclick: () => { close(); run(); } }, label);
    const toast = h(isProblem ? "div.toast.bad" : "div.toast", h("span", text), button, key && h("kbd", key));
    const toasts = document.getElementById("toasts");
    while (toasts.childElementCount > 2) toasts.firstElementChild.remove();
    toasts.append(toast);
    setTimeout(close, isProblem ? 15_000 : 10_000);
    return toast;
}

/** Opens a dialog with a reason, a note and more fields. If `submit` throws, the dialog stays open. */
export function ask({ title, lead, danger = false, lasts = false, fields = [], submit }) {
    return new Promise((resolve) => {
        const answer = h("p.answer", { role: "alert", hidden: true });
        const confirm = h(danger ? "button.danger" : "button.primary", { type: "submit" }, title);
        const form = h("form", { autocomplete: "off", novalidate: true },
            h("h2", { id: "ask-title" }, title), lead && h("p.quiet", lead), fields,
            h("label", "Reason", h("input", {
                name: "reason", maxlength: 500, required: true, autofocus: true, list: "reasons",
                placeholder: "shown to the users concerned and in the public modlog",
            })),
            h("datalist", { id: "reasons" }, [...reasons].reverse().map((reason) => h("option", { value: reason }))),
            lasts && h("label", "Duration", h("select", { name: "duration" },
                LENGTHS.map(([seconds, name]) => h("option", { value: seconds }, name)))),
            h("label", "Note", h("input", { name: "note", maxlength: 2000, placeholder: "visible only to moderators" })),
            answer,
            h("div.buttons",
                h("button", { type: "button", onclick: () => run(true) }, "Dry run"),
                h("span.grow"),
                h("button", { type: "button", onclick: () => dialog.close() }, "Cancel"), confirm));
        const dialog = h("dialog", { "aria-labelledby": "ask-title" }, form);
        let isDone = false;
        async function run(dryRun) {
            const answers = Object.fromEntries(new FormData(form));
            answers.reason = answers.reason.trim();
            if (!answers.reason) {
                form.elements.reason.focus();
                return show("A reason is required.");
            }
            if (confirm.disabled) return;
            confirm.disabled = true;
            try {
                const found = await submit(answers, dryRun);
                if (dryRun) return show(found, false);
                isDone = true;
                dialog.close();
            } catch (error) {
                show(error.message);
            } finally {
                confirm.disabled = false;
            }
        }
        function show(text, isProblem = true) {
            answer.className = isProblem ? "answer problem" : "answer";
            answer.hidden = false;
            fill(answer, text);
        }
        form.addEventListener("submit", (event) => { event.preventDefault(); run(false); });
        dialog.addEventListener("close", () => {
            dialog.remove();
            if (isDone) document.dispatchEvent(new Event("acted"));
            resolve(isDone);
        });
        document.body.append(dialog);
        dialog.showModal();
        (fields.length ? form.querySelector("input, select") : form.elements.reason).focus();
    });
}
