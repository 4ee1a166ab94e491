// Sheets over the feed, and short messages.

import { h, icon } from "./elements.js";

/** Opens a sheet and returns its body. The browser keeps the focus within, and returns it when the sheet closes. */
export function openSheet(title, ...content) {
    const body = h("div.body", content);
    const close = h("button.round", { type: "button", "aria-label": "Close", onclick: () => dialog.close() }, icon("close"));
    const dialog = h("dialog.sheet", { "aria-labelledby": "sheet-title" },
        h("header", h("h2", { id: "sheet-title" }, title), close), body);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return body;
}

/** Shows a message for a few seconds. `kind` is `problem` for an error. */
export function toast(text, kind = "note") {
    const message = h("p.toast", { "data-kind": kind }, text);
    message.addEventListener("animationend", (event) => { if (event.animationName === "leave") message.remove(); });
    document.querySelector("#toasts").append(message);
}

/** The place of something that is being read: a spinner, then what `read` returns, or the reason why it failed. */
export function pending(read) {
    const place = h("div.pending", { role: "status", "aria-label": "Loading" }, h("span.spinner"));
    read().then(
        (element) => place.replaceWith(element),
        (error) => place.replaceWith(h("p.problem", { role: "alert" }, error.message)));
    return place;
}
