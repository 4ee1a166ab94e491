// Light or dark: as the system has it, or as the person has chosen for this browser.

const KEY = "graphd-demo-theme";
export const THEMES = { auto: "As the system", light: "Light", dark: "Dark" };

export const theme = () => document.documentElement.dataset.theme ?? "auto";

export function choose(name) {
    if (name === "auto") {
        localStorage.removeItem(KEY);
        delete document.documentElement.dataset.theme;
    } else {
        localStorage.setItem(KEY, name);
        document.documentElement.dataset.theme = name;
    }
}

choose(localStorage.getItem(KEY) ?? "auto");
