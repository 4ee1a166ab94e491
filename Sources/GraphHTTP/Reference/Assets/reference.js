// The page about the API: all operations by group, to be searched and opened.

import { Description, element, texts, unfolding } from "./description.js";
import { parseYAML } from "./yaml.js";

const main = document.querySelector("#operations");
const groups = document.querySelector("#groups");
const search = document.querySelector("#search");

function title(operation) {
    const method = element("span", operation.method.toUpperCase());
    method.className = `method ${operation.method}`;
    return [method, element("code", operation.path), element("span", operation.summary)];
}

function entry(description, operation) {
    const made = unfolding("", () => description.details(operation), ...title(operation));
    made.id = operation.operationId;
    made.dataset.text = `${operation.method} ${operation.path} ${operation.summary} ${operation.operationId}`.toLowerCase();
    return made;
}

function section(description, tag, operations) {
    const made = document.createElement("section");
    made.id = `group-${tag.name}`;
    made.append(element("h2", tag.description), ...operations.map((one) => entry(description, one)));
    const link = element("a", tag.name);
    link.href = `#${made.id}`;
    link.append(element("span", String(operations.length)));
    groups.append(link);
    return made;
}

function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of main.querySelectorAll("details[id]")) {
        entry.hidden = !words.every((word) => entry.dataset.text.includes(word));
    }
    for (const part of main.querySelectorAll("section")) part.hidden = !part.querySelector("details[id]:not([hidden])");
}

function openNamed() {
    const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (named?.tagName === "DETAILS") named.open = true;
    named?.scrollIntoView();
}

async function show() {
    const answer = await fetch("/openapi.yaml");
    if (!answer.ok) throw new Error(`The description is not available (${answer.status}).`);
    const description = new Description(parseYAML(await answer.text()));
    const { info, tags } = description.content;
    document.querySelector("#version").textContent = info.version;
    main.append(unfolding(info.summary, () => texts(info.description)));
    const byTag = Map.groupBy(description.operations, (operation) => operation.tags[0]);
    const described = new Map(tags.map((tag) => [tag.name, tag]));
    for (const [name, operations] of byTag) {
        main.append(section(description, described.get(name) ?? { name, description: name }, operations));
    }
    search.addEventListener("input", filter);
    window.addEventListener("hashchange", openNamed);
    main.setAttribute("aria-busy", "false");
    openNamed();
}

show().catch((error) => {
    main.append(element("p", error.message));
    main.setAttribute("aria-busy", "false");
});
