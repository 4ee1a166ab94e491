import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON
@testable import graphd

/// The demo page in a browser, before a server with a small sample network.
struct DemoPage: Sendable {
    static let enter = "\u{E007}"

    let server: GraphdServer
    let browser: Browser
    let signIn: SampleSignIn
    /// A client of the person who signs in, in another session.
    let reader: APIClient

    /// Runs `body` with the page, signed out.
    ///
    /// - Parameter isStill: the reader prefers reduced motion.
    static func open(isStill: Bool = true, _ body: @Sendable (DemoPage) async throws -> Void) async throws {
        let size = SampleNetwork.Size(
            people: 120, follows: 1_800, posts: 500, reshares: 120, likes: 600, comments: 120, days: 6)
        try await GraphdServer.prepared { server in
            try await SampleNetwork(seed: 5, size: size).create(in: server.graph)
            try await server.start()
            let signIn = try #require(try await SampleSignIn.stored(in: server.graph))
            let session = try await server.client().post(
                "/v1/auth/login", #"{"email":"\#(signIn.emails[0])","password":"\#(signIn.password)"}"#)
            let reader = server.client(token: try #require(try session.json["token"]?.text, "\(session)"))
            try await Browser.open(isStill: isStill) { browser in
                let page = DemoPage(server: server, browser: browser, signIn: signIn, reader: reader)
                try await browser.go(to: "http://127.0.0.1:\(server.port)/demo")
                try await browser.wait(until: "!document.querySelector('#sign-in').hidden")
                try await body(page)
                #expect(try await browser.complaints() == [])
            }
        }
    }

    func enter(_ password: String) async throws {
        try await browser.run("document.querySelector('#sign-in form').reset()")
        try await browser.type(signIn.emails[0], into: "[name=email]")
        try await browser.type(password + Self.enter, into: "[name=password]")
    }

    /// Signs in and waits for the first page of the home timeline.
    func signInAndRead() async throws {
        try await enter(signIn.password)
        try await waitForPosts()
    }

    /// Waits until the feed has been read and a post is in view.
    func waitForPosts() async throws {
        try await browser.wait(
            until: "document.querySelector('#feed[aria-busy=false] [data-in-view] .stage > :is(canvas, .media)')")
    }

    /// The ids of the posts in the feed, from above.
    func posts() async throws -> [String] {
        let list = "return [...document.querySelectorAll('article')].map((e) => e.dataset.post)"
        return try await browser.run(list)?.entries?.compactMap(\.text) ?? []
    }

    /// A selector within the post's card.
    func card(_ post: String, _ selector: String) -> String { "[data-post=\"\(post)\"] \(selector)" }

    /// Returns whether the drawing of the post in view moves: whether it changes within half a second.
    func moves() async throws -> Bool {
        let picture = "return document.querySelector('[data-in-view] canvas').toDataURL()"
        let before = try await browser.run(picture)
        // Not for synchronisation: what stands still has to be looked at for some time.
        try await Task.sleep(for: .milliseconds(500))
        return try await browser.run(picture) != before
    }

    /// Brings a card into view.
    func scroll(to post: String) async throws {
        try await browser.run(
            "document.querySelector(arguments[0]).scrollIntoView({ behavior: 'instant' })", card(post, ""))
    }

    /// Presses a button and waits until the server has answered its request.
    func pressAndWait(_ selector: String, pressed: Bool) async throws {
        try await browser.press(selector)
        let state = "document.querySelector(arguments[0]).matches('[aria-pressed=\(pressed)]:not([aria-busy])')"
        try await browser.wait(until: state, selector)
    }

    /// The text of an element.
    func text(_ selector: String) async throws -> String? {
        try await browser.run("return document.querySelector(arguments[0])?.textContent", selector)?.text
    }
}
