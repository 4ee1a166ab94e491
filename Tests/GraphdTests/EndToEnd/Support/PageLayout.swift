import ServiceTestSupport

@testable import StrictJSON

/// A check of the layout of a page in a browser.
struct PageLayout {
    /// A selector of what can be pressed.
    let pressed: String
    /// A selector of elements that are not checked, with all that they contain.
    let unchecked: String

    /// Returns everything wrong, in words: elements beyond the edge, and at less than 700 pixels everything pressed
    /// that is small or covered.
    func faults(in browser: Browser) async throws -> String? {
        try await browser.run(Self.script, pressed, unchecked)?.text
    }

    private static let script = """
        const [selector, unchecked] = arguments;
        const name = (e) => `${e.tagName} ${e.className} "${(e.textContent || e.name || "").slice(0, 30)}"`;
        const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest(unchecked);
        const faults = [];
        if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
        for (const e of [...document.querySelectorAll("body *")].filter(isShown)) {
            const box = e.getBoundingClientRect();
            const isBeyond = box.width && box.height && (box.right > innerWidth + 1 || box.left < -1);
            if (isBeyond) faults.push(`beyond: ${name(e)}`);
        }
        const top = document.querySelector("dialog[open]") ?? document;
        const pressed = [...top.querySelectorAll(selector)];
        for (const input of innerWidth < 700 ? pressed.filter(isShown) : []) {
            const e = input.type === "checkbox" ? input.closest("label") : input;
            e.scrollIntoView({ block: "center", behavior: "instant" });
            const box = e.getBoundingClientRect();
            if (box.width < 44 || box.height < 44) faults.push(`small: ${name(e)}`);
            const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            if (!e.contains(hit) && !e.closest("label")?.contains(hit)) faults.push(`covered: ${name(e)}`);
        }
        return faults.slice(0, 10).join("; ");
        """
}
