// Rules that the server applies to texts. A rule can be tried on earlier texts before it is switched on.

import { tell } from "./acting.js";
import { get, me, patch, post, remove } from "./api.js";
import { fill, h } from "./dom.js";
import { at, button, communityChoice, count, pages, plural, problem, subjectLabel, userLink } from "./parts.js";

/** For each kind, its title and the fields of its definition as [name, label, parser of the text]. */
const words = (text) => text.split(/[\n,]/).map((word) => word.trim()).filter(Boolean);
const KINDS = {
    keyword: ["Words", [["words", "Words, separated by commas", words]]],
    pattern: ["Pattern", [["pattern", "Regular expression", String]]],
    link: ["Links", [["domains", "Domains, separated by commas", words]]],
    rate: ["Rate", [["count", "More than … posts", Number], ["seconds", "in … seconds", Number]]],
    newAccount: ["New accounts", [["maxAgeSeconds", "Younger than … seconds", Number],
        ["minPosts", "with fewer posts than (may be empty)", (text) => text ? Number(text) : undefined]]],
};
const ACTIONS = ["hold", "flag", "remove"];

export async function rules(_, parameters) {
    const communityId = parameters.communityId ?? (me.siteRole ? undefined : me.communities[0]?.communityId);
    const results = h("section.card", { hidden: true, "aria-live": "polite" });
    const dryRun = async (rule) => {
        results.hidden = false;
        fill(results, h("p.quiet", "Checking the latest 1,000…"));
        try {
            const found = await post("/v1/moderation/rules/dry-run", { rule, last: 1000 });
            fill(results, matches(found));
        } catch (error) {
            fill(results, problem(error));
        }
        results.scrollIntoView({ block: "nearest" });
    };
    const list = await pages((cursor) => get("/v1/moderation/rules", { communityId, limit: 100, cursor }),
        (items) => h("ul.entries", items.map((rule) => line(rule, dryRun))), "No rules yet. Create one, and try it first.");
    return {
        title: "Rules", reloads: true,
        element: h("div.columns",
            h("section", list, results),
            h("aside", maker(communityId, dryRun))),
        bar: [communityChoice({ ...parameters, communityId }, me.siteRole ? "whole site" : "")],
    };
}

function matches({ looked, matched, items }) {
    return [
        h("h2", `${plural(matched, "match")} in ${count(looked)}`.replace("matchs", "matches")),
        h("ul.entries", items.map((item) => h("li.entry", userLink(item.user), subjectLabel(item.subject),
            h("span.grow.wrap", item.excerpt), item.matchedText && h("mark", item.matchedText)))),
        matched > items.length && h("p.quiet", `The first ${items.length} are shown.`),
    ];
}

function line(rule, dryRun) {
    const { ruleId, name, kind, action, enabled, definition, communityId } = rule;
    const change = async (what, done) => {
        try {
            await what();
            tell(done);
            document.dispatchEvent(new Event("acted"));
        } catch (error) {
            tell(error.message, { isProblem: true });
        }
    };
    const body = { communityId: communityId ?? undefined, name, kind, action, enabled, definition };
    return h("li", { class: enabled ? "entry" : "entry off" },
        h("button.switch", {
            type: "button", role: "switch", "aria-checked": String(enabled), "aria-label": `Rule ${name}`,
            onclick: () => change(() => patch(`/v1/moderation/rules/${ruleId}`, { enabled: !enabled }),
                `${enabled ? "Disabled" : "Enabled"}: ${name}`),
        }),
        h("div.grow", h("div.row", h("strong.wrap", name), h("span.badge", KINDS[kind]?.[0] ?? kind),
            h(action === "remove" ? "span.badge.bad" : action === "hold" ? "span.badge.warn" : "span.badge", action),
            h("span.quiet", at(rule.updatedAt))), h("div.mono.quiet.wrap", describe(definition))),
        button("Dry run", () => dryRun(body)),
        button("Delete", () => confirm(`Delete the rule "${name}"?`)
            && change(() => remove(`/v1/moderation/rules/${ruleId}`), `Deleted: ${name}`), { danger: true }));
}

function describe(definition) {
    return Object.entries(definition).map(([name, value]) =>
        `${name}: ${Array.isArray(value) ? value.join(", ") : value}`).join("  ");
}

function maker(communityId, dryRun) {
    const fields = h("div.stack");
    const answer = h("p.problem", { role: "alert", hidden: true });
    const kind = h("select", { name: "kind", onchange: () => show() },
        Object.entries(KINDS).map(([name, [label]]) => h("option", { value: name }, label)));
    const form = h("form.card.stack", { onsubmit: (event) => { event.preventDefault(); create(); } },
        h("h2", "New rule"),
        h("label", "Name", h("input", { name: "name", maxlength: 100, required: true })),
        h("label", "Kind", kind), fields,
        h("label", "Action", h("select", { name: "action" }, ACTIONS.map((name) => h("option", { value: name }, name)))),
        answer,
        h("div.buttons", button("Dry run", () => dryRun(read())), h("span.grow"),
            h("button.primary", { type: "submit" }, "Create disabled")));
    function show() {
        fill(fields, KINDS[kind.value][1].map(([name, label]) => h("label", label, h("input", { name }))),
            kind.value === "keyword" && check("wholeWords", "Whole words only", true),
            kind.value === "link" && h("label", "Domains are", h("select", { name: "mode" },
                h("option", { value: "deny" }, "not allowed"), h("option", { value: "allowOnly" }, "the only ones allowed"))));
    }
    function read() {
        const given = Object.fromEntries(new FormData(form));
        const definition = Object.fromEntries(KINDS[given.kind][1].map(([name, , convert]) => [name, convert(given[name])]));
        if (given.kind === "keyword") definition.wholeWords = given.wholeWords === "on";
        if (given.kind === "link") definition.mode = given.mode;
        return {
            communityId, name: given.name.trim() || "new rule", kind: given.kind, action: given.action, enabled: false, definition,
        };
    }
    async function create() {
        try {
            const rule = read();
            await post("/v1/moderation/rules", rule);
            tell(`Created disabled: ${rule.name}`);
            document.dispatchEvent(new Event("acted"));
        } catch (error) {
            answer.hidden = false;
            fill(answer, error.message);
        }
    }
    show();
    return form;
}

function check(name, label, isOn) {
    return h("label.inline", h("input", { type: "checkbox", name, checked: isOn }), label);
}
