import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// The console on a telephone, a tablet and a desk.
extension ConsoleBrowserTests {
    private static let layout = PageLayout(
        pressed: "button, a.button, select, input, .item, nav a", unchecked: ".unseen, option, .toasts")

    /// A community with reported and held posts, one of them with a picture of this server, an appeal and a ban.
    private struct Work {
        let community: String
        let author: Person
        let reported: String
    }

    private func work() async throws -> Work {
        let (owner, author) = (try await server.person("owner"), try await server.person("a.long.name.of.an.author"))
        let community = try await server.client(owner).community("the long road that never ends \(owner.idText)")
        let writing = server.client(author)
        try await writing.act("POST", "/v1/communities/\(community)/join")
        let link = "https://shop.example/sale?utm_source=\(String(repeating: "long", count: 30))"
        let stored = try await writing.store(SampleFile.png(), named: "p.png")
        let picture = "http://127.0.0.1:\(server.port)\(stored)"
        let posted = try await writing.post(
            "/v1/posts",
            #"{"mediaUrl":"\#(picture)","caption":"\#(link)","communityId":"\#(community)"}"#
        )
        let reported = try #require(try posted.json["postId"]?.text, "\(posted)")
        for name in ["dora", "eve", "finn"] {
            let reason = String(repeating: "A reason without an end. ", count: name == "eve" ? 1 : 9)
            _ = try await report(
                #""postId":"\#(reported)""#, by: try await server.person(name), #""reason":"\#(reason)""#)
        }
        let chief = server.client(moderator)
        let held = try await publish(#""caption":"\#(link)","communityId":"\#(community)""#, by: author)
        let banned = try await server.person("banned.with.a.long.name")
        try await server.client(banned).act("POST", "/v1/communities/\(community)/join")
        _ = try await chief.moderate(#"{"action":"holdPost","subjects":[{"postId":"\#(held)"}],"reason":"\#(link)"}"#)
        _ = try await chief.moderate(
            #"{"action":"banMember","subjects":[{"userId":"\#(banned.idText)"}],"reason":"\#(link)","#
                + #""communityId":"\#(community)"}"#)
        let warning = try await chief.moderate(
            #"{"action":"warnUser","subjects":[{"userId":"\#(author.idText)"}],"reason":"\#(link)"}"#)
        let entry = try #require(warning["results"]?.entries?.first?["entryId"]?.text)
        let appeal = try await writing.post("/v1/appeals", #"{"entryId":"\#(entry)","text":"\#(link)"}"#)
        #expect(appeal.status == 201, "\(appeal)")
        return Work(community: community, author: author, reported: reported)
    }

    @Test func `every page fits a telephone, a tablet and a desk, and a post is taken down by touch`() async throws {
        let work = try await work()
        let queues = ["#/reports?communityId=\(work.community)", "#/queue?communityId=\(work.community)", "#/appeals"]
        let places =
            queues + [
                "#/communities", "#/community/\(work.community)", "#/community/\(work.community)?show=banned",
                "#/people?q=a", "#/user/\(work.author.idText)?communityId=\(work.community)", "#/modlog", "#/rules",
                "#/dashboard", "#/explorer?user=\(work.author.username)&post=\(work.reported)",
            ]
        try await Browser.open { browser async throws in
            try await signIn(browser)
            func expectNoFaults(_ what: String) async throws {
                #expect(try await Self.layout.faults(in: browser) == "", "\(what)")
            }
            for (width, height) in [(1280, 900), (768, 1024), (390, 844)] {
                try await browser.resize(width: width, height: height, isPhone: width < 700)
                for place in places {
                    try await show(place, in: browser)
                    try await expectNoFaults("\(place) at \(width)")
                    guard width < 700, queues.contains(place) else { continue }
                    try await browser.press(".item")
                    try await browser.wait(until: "document.querySelector('.worklist.reading .decisions button')")
                    try await expectNoFaults("\(place), read, at \(width)")
                    try await browser.press(".back button")
                    try await browser.wait(until: "!document.querySelector('.worklist.reading')")
                }
            }
            try await browser.press(".menu")
            try await expectNoFaults("the menu")
            try await browser.press("nav a[data-view=reports]")
            try await takeDown(work, in: browser)
            #expect(try await browser.complaints() == [])
        }
    }

    private func takeDown(_ work: Work, in browser: Browser) async throws {
        try await show("#/reports?communityId=\(work.community)", in: browser)
        try await browser.press(".item")
        let names = "return [...document.querySelectorAll('.decisions button')].map((e) => e.firstChild.data).join()"
        #expect(try await browser.run(names)?.text == "Claim,Dismiss,Warn,Remove,Ban,Take down,Mark")
        // Nothing is loaded before it is asked for.
        let loads = "return performance.getEntriesByType('resource').filter((e) => e.name.includes('/media/')).length"
        #expect(try await browser.run(loads) == .integer(0))
        #expect(try await browser.run("return document.querySelectorAll('img, video').length") == .integer(0))
        try await browser.press("[data-media-step]")
        try await browser.wait(until: "document.querySelector('.frame.blurred img')?.src.startsWith('blob:')")
        #expect(try await browser.run(loads) == .integer(1))
        try await browser.press("[data-media-step]")
        try await browser.wait(until: "document.querySelector('.frame:not(.blurred) img')")
        try await browser.type("v")
        try await browser.wait(until: "!document.querySelector('.frame img')")

        try await browser.press(".decisions button:nth-last-child(2)")
        try await browser.type("a shop", into: "dialog input[name=reason]")
        #expect(try await Self.layout.faults(in: browser) == "", "the dialog")
        try await keepToasts(in: browser)
        try await browser.press("dialog button[type=submit]")
        try await browser.wait(until: "!document.querySelector('dialog')")
        try await browser.wait(until: "document.querySelectorAll('.item').length === 0")
        let post = try await server.client(work.author).get("/v1/posts/\(work.reported)")
        #expect(post.status == 404, "\(post)")
        try await browser.press(".toast button")
        try await waitUntilUndone(in: browser)
        try await browser.wait(until: "document.querySelectorAll('.item').length === 1")
        #expect(try await server.client(work.author).get("/v1/posts/\(work.reported)").status == 200)
    }
}
