import Foundation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// The demo page in a real browser, as a user of the API.
@Suite(.timeLimit(.process))
struct DemoPageBrowserTests {
    /// The first parts of the paths that the page has asked for, and whole addresses elsewhere.
    private static let placesAsked = """
        const addresses = performance.getEntriesByType("resource").map((entry) => new URL(entry.name));
        const place = (url) => url.origin === location.origin ? url.pathname.split("/")[1] : url.href;
        return [...new Set(addresses.map(place))].sort();
        """

    @Test func `a person signs in, scrolls on and signs out`() async throws {
        try await DemoPage.open(isStill: false) { page in
            let browser = page.browser
            try await page.enter("not the password")
            try await browser.wait(until: "!document.querySelector('#problem').hidden")
            #expect(try await page.text("#problem") == "The email address or the password is wrong.")
            try await page.signInAndRead()
            while try await !page.moves() { try Task.checkCancellation() }

            // The second page, and the third.
            let whole = try await page.reader.ids("/v1/timelines/home")
            let first = try await page.posts()
            #expect(first == Array(whole.prefix(first.count)) && first.count < 20)
            for count in [first.count + 1, first.count * 2 + 1] {
                try await page.scroll(to: try #require(try await page.posts().last))
                try await browser.wait(
                    until: "document.querySelectorAll('article').length >= Number(arguments[0])", String(count))
            }
            let shown = try await page.posts()
            #expect(shown == Array(whole.prefix(shown.count)))
            // Pictures exist near the view only.
            try await browser.wait(until: "document.querySelectorAll('article canvas').length < 5")

            // The server is asked for nothing but `/v1`, beside the files of the page.
            #expect(try await browser.run(Self.placesAsked)?.entries?.compactMap(\.text) == ["console", "demo", "v1"])

            // A token that the server refuses is renewed.
            try await browser.run(
                """
                const session = JSON.parse(sessionStorage.getItem("graphd-demo-session"));
                sessionStorage.setItem("graphd-demo-session", JSON.stringify({ ...session, token: "revoked" }));
                """)
            try await browser.go(to: "http://127.0.0.1:\(page.server.port)/demo")
            try await page.waitForPosts()

            let session = "return sessionStorage.getItem('graphd-demo-session')"
            let stored = try #require(try await browser.run(session)?.text)
            let token = try #require(try JSONReader.read(Array(stored.utf8))["token"]?.text)
            try await browser.press("[data-act=sign-out]")
            try await browser.wait(until: "!document.querySelector('#sign-in').hidden")
            #expect(try await browser.run(session) == .null)
            try await page.server.client(token: token).get("/v1/me").expectProblem(401, "token_invalid")
        }
    }

    @Test func `likes, follows and chosen algorithms reach the server, and the page says why`() async throws {
        try await DemoPage.open { page in
            try await page.signInAndRead()
            let items = try #require(try await page.reader.get("/v1/timelines/home?limit=100").json["items"]?.entries)
            let isStranger = { (item: JSONValue) in
                item["viewer"]?["following"] == .bool(false) && item["viewer"]?["isAuthor"] == .bool(false)
            }
            let post = try #require(try await page.posts().first)
            // Its reader prefers reduced motion: once the picture is painted, it stands still.
            while try await page.moves() { try Task.checkCancellation() }
            let (like, before) = (page.card(post, "[data-act=like]"), try await likes(of: post, page))
            try await page.pressAndWait(like, pressed: before.liked ? false : true)
            let after = try await likes(of: post, page)
            #expect(after.liked != before.liked && after.count == before.count + (before.liked ? -1 : 1))
            #expect(try await page.text(like + " .count") == String(after.count))

            let item = try #require(items.first { isStranger($0) && $0["postId"]?.text != nil })
            let stranger = try #require(item["postId"]?.text)
            try await scroll(to: stranger, page)
            try await page.pressAndWait(page.card(stranger, "[data-follow]"), pressed: true)
            let followed = try await page.reader.get("/v1/posts/\(stranger)").json
            #expect(followed["viewer"]?["following"] == .bool(true))

            try await expectWhy(stranger, page)
            try await expectChoice(page)
        }
    }

    @Test func `a new post arrives, with a video of this server and text that stays text`() async throws {
        try await DemoPage.open(isStill: false) { page in
            let browser = page.browser
            try await page.signInAndRead()
            try await browser.wait(until: "document.body.hasAttribute('data-live')")
            let items = try #require(try await page.reader.get("/v1/timelines/home?limit=100").json["items"]?.entries)
            let followed = items.first { $0["viewer"]?["following"] == .bool(true) }
            let name = try #require(followed?["author"]?["username"]?.text)
            let account = try #require(try await page.server.graph.accounts.account(username: name))
            let author = page.server.client(try await page.server.person(account))
            let before = try await page.posts()

            let video = "http://127.0.0.1:\(page.server.port)\(try await author.store(clip(), named: "clip.mp4"))"
            let attack = "<img src=x onerror=hacked=1>"
            var arrived: [String] = []
            for caption in ["An older one", attack] {
                let answer = try await author.post(
                    "/v1/posts", #"{"caption":"\#(caption)","mediaUrl":"\#(video)","algorithmTags":["\#(attack)"]}"#)
                arrived.append(try #require(try answer.json["postId"]?.text, "\(answer)"))
                try await browser.wait(
                    until: "document.querySelector('#arrivals:not([hidden])')?.textContent === arguments[0]",
                    arrived.count == 1 ? "1 new post" : "2 new posts")
            }
            #expect(try await page.posts() == before)
            try await browser.press("#arrivals")
            try await browser.wait(until: "document.querySelector('#arrivals').hidden")
            #expect(try await page.posts() == arrived.reversed() + before)
            #expect(try await page.text(page.card(arrived[1], ".caption")) == attack)
            #expect(try await page.text(page.card(arrived[1], ".tag")) == attack)
            let source = page.card(arrived[1], "video")
            try await browser.wait(until: "document.querySelector(arguments[0])?.readyState >= 2", source)
            #expect(
                try await browser.run("return document.querySelector(arguments[0]).src.startsWith('blob:')", source)
                    == .bool(true))
            #expect(try await browser.run("return document.querySelectorAll('article img').length") == .integer(0))
            #expect(try await browser.run("return window.hacked ?? 'untouched'") == .string("untouched"))
            try await browser.picture("arrived")
        }
    }

    private func likes(of post: String, _ page: DemoPage) async throws -> (liked: Bool, count: Int64) {
        let json = try await page.reader.get("/v1/posts/\(post)").json
        return (json["viewer"]?["liked"] == .bool(true), try #require(json["likesCount"]?.number))
    }

    /// Scrolls on until the post is there, and shows it.
    private func scroll(to post: String, _ page: DemoPage) async throws {
        while true {
            let shown = try await page.posts()
            if shown.contains(post) { return try await page.scroll(to: post) }
            try await page.scroll(to: try #require(shown.last))
            try await page.browser.wait(
                until: "document.querySelectorAll('article').length > Number(arguments[0])", String(shown.count))
        }
    }

    /// The sheet of a post says what the API says.
    private func expectWhy(_ post: String, _ page: DemoPage) async throws {
        let verdict = try await page.reader.get("/v1/timelines/home/why/\(post)").json
        let reasons = try #require(verdict["reasons"]?.entries?.compactMap { $0["text"]?.text })
        try await page.browser.press(page.card(post, "[data-act=why]"))
        try await page.browser.wait(
            until: "document.querySelector('dialog .reasons') && document.querySelector('dialog .algorithm')")
        let shown = try await page.browser.run(
            "return [...document.querySelectorAll('dialog .reasons li')].map((e) => e.textContent)")
        #expect(shown?.entries?.compactMap(\.text) == reasons)
        #expect(try await page.text("dialog .algorithm")?.contains("Your home timeline: every post") == true)
        try await page.browser.picture("why")
        try await page.browser.press("dialog [aria-label=Close]")
        try await page.browser.wait(until: "!document.querySelector('dialog')")
    }

    /// A chosen algorithm is a filter, and the filter shows posts that have it.
    private func expectChoice(_ page: DemoPage) async throws {
        let browser = page.browser
        func selected() async throws -> [String] {
            try await page.reader.get("/v1/me").json["selectedAlgorithms"]?.entries?.compactMap(\.text) ?? []
        }
        let before = try await selected()
        try await browser.press("header [data-open=algorithms]")
        let chip = "dialog .chip[aria-pressed=false]"
        try await browser.wait(until: "document.querySelector(arguments[0])", chip)
        let tag = try #require(try await page.text(chip))
        try await browser.press("dialog [data-tag=\"\(tag)\"]")
        try await browser.wait(until: "document.querySelector('#filters [data-filter=\"' + arguments[0] + '\"]')", tag)
        #expect(try await selected() == before + [tag])
        try await browser.picture("algorithms")
        try await browser.press("dialog [aria-label=Close]")
        try await browser.press("#filters [data-filter=\"\(tag)\"]")
        try await page.waitForPosts()
        let shown = try await page.posts()
        let expected = try await page.reader.page("/v1/timelines/home?limit=\(shown.count)&algorithms=\(tag)")
        #expect(shown == expected && !shown.isEmpty)
    }

    /// One second of video.
    private func clip() async throws -> [UInt8] {
        let path = temporaryPath("clip") + ".mp4"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let pattern = "-f lavfi -i testsrc=size=180x320:rate=5:duration=1 -pix_fmt yuv420p"
        let command = #"exec ffmpeg -loglevel error \#(pattern) "$0""#
        let end = await (try GraphdProcess(["-c", command, path], executable: "/bin/sh")).wait()
        #expect(end == .exited(0))
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
