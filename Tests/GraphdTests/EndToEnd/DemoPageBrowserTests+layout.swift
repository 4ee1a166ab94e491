import TestSupport
import Testing

@testable import StrictJSON

/// The demo page on a telephone, a tablet and a desk, in light and dark colours.
extension DemoPageBrowserTests {
    private static let layout = PageLayout(
        pressed: "#filters button, .feeds button, .bar button, .account button, .themes button, .say input, "
            + "dialog button, dialog summary, [data-in-view] button",
        unchecked: "option, .toasts, #filters :not(:first-child), .stage canvas, dialog:not([open])")

    @Test func `everything is within reach on every screen`() async throws {
        try await DemoPage.open { page in
            let browser = page.browser
            try await browser.picture("sign-in")
            try await page.signInAndRead()
            for (name, width, height) in [("desk", 1280, 860), ("tablet", 820, 1100), ("phone", 390, 844)] {
                try await browser.resize(width: width, height: height, isPhone: width < 700)
                for colours in ["light", "dark"] {
                    try await browser.prefer(colours)
                    try await browser.wait(
                        until: "getComputedStyle(document.body).backgroundColor === arguments[0]",
                        colours == "dark" ? "rgb(13, 13, 18)" : "rgb(244, 243, 247)")
                    try await browser.picture("\(name)-\(colours)")
                }
                let faults = try await Self.layout.faults(in: browser)
                #expect(faults == "", "\(name)")
                for sheet in try await sheets(width) {
                    try await browser.press(sheet)
                    try await browser.wait(
                        until: "document.querySelector('dialog') && !document.querySelector('dialog .pending')")
                    try await browser.wait(until: "!document.querySelector('dialog').getAnimations().length")
                    let faults = try await Self.layout.faults(in: browser)
                    #expect(faults == "", "\(sheet) on \(name)")
                    try await browser.press("dialog [aria-label=Close]")
                    try await browser.wait(until: "!document.querySelector('dialog')")
                }
            }
        }
    }

    @Test func `the colours and the keys are the person's choice`() async throws {
        try await DemoPage.open { page in
            let browser = page.browser
            try await page.signInAndRead()
            try await browser.prefer("light")
            try await browser.press("[data-theme-choice=dark]")
            let isDark = "getComputedStyle(document.body).backgroundColor === 'rgb(13, 13, 18)'"
            try await browser.wait(until: isDark)
            try await browser.go(to: "http://127.0.0.1:\(page.server.port)/demo")
            // The session lasts as long as the tab, and the colours longer.
            try await page.waitForPosts()
            try await browser.wait(until: isDark)

            let posts = try await page.posts()
            let inView = "document.activeElement?.dataset.post === arguments[0]"
            try await browser.type("j")
            try await browser.wait(until: inView, posts[1])
            try await browser.type("k")
            try await browser.wait(until: inView, posts[0])
            try await browser.type("w")
            try await browser.wait(until: "document.querySelector('dialog .reasons')")
        }
    }

    /// Returns a selector of the button that opens each sheet on a screen of this width.
    private func sheets(_ width: Int) async throws -> [String] {
        let card = "[data-in-view] [data-act="
        let places = width < 700 ? [".bar [data-open=people]", ".bar [data-open=account]"] : []
        return ["\(width < 700 ? ".bar" : "header") [data-open=algorithms]"] + places
            + ["\(card)why]", "\(card)comments]"]
    }
}
