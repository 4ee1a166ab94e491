import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// The console in a real browser, operated by keyboard.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ConsoleBrowserTests {
    static let password = "correct horse battery"
    static let enter = "\u{E007}"

    let server: GraphdServer
    let moderator: Person
    let email: String

    init() async throws {
        server = try GraphdServer.shared
        let hash = try await PasswordHasher().hash(Self.password, for: WorkCaller(.server), field: "password")
        let named = try await server.person("grace")
        email = "\(named.username)@example.org"
        let account = try await server.graph.accounts.createAccount(
            username: "\(named.username).mod", email: email, passwordHash: hash)
        moderator = try await server.person(account)
        _ = try await server.graph.moderation.appoint(.admin, moderator.id, reason: "runs the site")
    }

    func signIn(_ browser: Browser) async throws {
        try await browser.go(to: "http://127.0.0.1:\(server.port)/console")
        try await browser.type(email, into: "input[name=email]")
        try await browser.type(Self.password + Self.enter, into: "input[name=password]")
        try await browser.wait(until: "document.querySelector('#view')?.dataset.shown === '#/reports'")
    }

    func show(_ place: String, in browser: Browser) async throws {
        try await browser.run("location.hash = arguments[0]", place)
        try await browser.wait(until: "document.querySelector('#view').dataset.shown === arguments[0]", place)
    }

    /// Makes the toasts of the shown page stay: on a busy machine they would be gone before they are looked at or
    /// pressed.
    func keepToasts(in browser: Browser) async throws {
        try await browser.run(
            """
            const start = window.setTimeout;
            window.setTimeout = (act, time) => start(act, time === 10_000 ? 3_600_000 : time);
            """)
    }

    /// Waits for the end of an undo. The row of the report is back before its post is, because batches are undone one
    /// after the other.
    func waitUntilUndone(in browser: Browser) async throws {
        try await browser.wait(until: "document.querySelector('#toasts').textContent.includes('Undone: ')")
    }

    private func undoByKey(in browser: Browser) async throws {
        try await keepToasts(in: browser)
        try await browser.type("u")
        try await waitUntilUndone(in: browser)
    }

    /// Publishes a post with these members, written as JSON without braces. Returns its id.
    func publish(_ members: String, by person: Person) async throws -> String {
        let answer = try await server.client(person).post(
            "/v1/posts", #"{"mediaUrl":"https://example.org/v.mp4",\#(members)}"#)
        guard answer.status == 201, let id = try answer.json["postId"]?.text else { throw UnexpectedAnswer(answer) }
        return id
    }

    /// Sends a report. Returns its id.
    func report(_ subject: String, by person: Person, _ more: String) async throws -> String {
        let answer = try await server.client(person).post("/v1/reports", #"{\#(subject),\#(more)}"#)
        guard answer.status == 201, let id = try answer.json["reportId"]?.text else { throw UnexpectedAnswer(answer) }
        return id
    }

    @Test func `a queue of reports is worked off and taken back by keys`() async throws {
        let (owner, author) = (try await server.person("owner"), try await server.person("author"))
        let reporter = try await server.person("reporter")
        let reader = server.client(try await server.person("reader"))
        let community = try await server.client(owner).community("worked off \(owner.idText)")
        let writing = server.client(author)
        for client in [writing, reader] { try await client.act("POST", "/v1/communities/\(community)/join") }
        var posts: [String] = []
        for caption in ["first", "second", "third"] {
            posts.append(try await publish(#""caption":"\#(caption)","communityId":"\#(community)""#, by: author))
        }
        var reports: [String] = []
        for post in posts.dropLast() {
            reports.append(try await report(#""postId":"\#(post)""#, by: owner, #""reason":"spam""#))
        }
        let timeline = "/v1/communities/\(community)/timeline"
        let everything = try await reader.page(timeline)
        #expect(everything.count == 3)

        try await Browser.open { browser async throws in
            try await browser.go(to: "http://127.0.0.1:\(server.port)/console")
            try await browser.type(email, into: "input[name=email]")
            try await browser.type("wrong" + Self.enter, into: "input[name=password]")
            try await browser.wait(until: "!document.querySelector('#signin-problem').hidden")
            try await signIn(browser)
            try await show("#/reports?communityId=\(community)", in: browser)
            try await browser.wait(until: "document.querySelectorAll('.item').length === 2")

            // The first of the two reported posts.
            let selected = "document.querySelector('.item[aria-selected=true]')?.dataset.key === arguments[0]"
            func key(_ post: String) -> String { "post-\(post)-open-\(community)" }
            if try await browser.run("return Boolean(\(selected))", key(posts[0])) != .bool(true) {
                try await browser.type("j")
            }
            try await browser.wait(until: selected, key(posts[0]))
            // A new report appears by itself, or joins the row of its post, and the selection stays.
            let late = try await report(#""postId":"\#(posts[0])""#, by: reporter, #""reason":"rude""#)
            _ = try await report(#""postId":"\#(posts[2])""#, by: owner, #""reason":"spam too""#)
            let item = "document.querySelector('.item[data-key=\"' + arguments[0] + '\"]')"
            try await browser.wait(until: item, key(posts[2]))
            try await browser.wait(until: "\(item)?.textContent.includes('2 reports')", key(posts[0]))
            try await browser.wait(until: selected, key(posts[0]))
            func statuses() async throws -> [String?] {
                var statuses: [String?] = []
                for id in [reports[0], late, reports[1]] {
                    let report = try await server.client(moderator).get("/v1/moderation/reports/\(id)")
                    statuses.append(try report.json["status"]?.text)
                }
                return statuses
            }

            try await browser.type("x")
            try await browser.wait(until: "document.activeElement?.name === 'reason'")
            #expect(try await browser.run("return document.activeElement.value") == .string(""))
            try await browser.type(Self.enter)
            try await browser.wait(until: "document.querySelector('dialog .problem')")
            try await browser.type("it is spam" + Self.enter)
            try await browser.wait(until: "!document.querySelector('dialog')")
            try await browser.wait(until: "document.querySelectorAll('.item').length === 2")
            #expect(try await reader.page(timeline) == everything.filter { $0 != posts[0] })
            #expect(try await statuses() == ["resolved", "resolved", "open"])

            try await undoByKey(in: browser)
            try await browser.wait(until: "document.querySelectorAll('.item').length === 3")
            #expect(try await reader.page(timeline) == everything)
            #expect(try await browser.complaints() == [])
            #expect(try await statuses() == ["open", "open", "open"])
        }
    }

    @Test func `a token that the server refuses is renewed`() async throws {
        try await Browser.open { browser async throws in
            try await signIn(browser)
            try await browser.run(
                """
                const send = window.fetch;
                window.asked = [];
                window.fetch = (path, options) => {
                    if (!window.asked.length) options.headers.Authorization = "Bearer revoked";
                    window.asked.push(path);
                    return send(path, options);
                };
                """)
            try await show("#/communities", in: browser)
            try await browser.wait(until: "window.asked.includes('/v1/auth/refresh')")
            #expect(try await browser.run("return document.querySelector('#signin').hidden") == .bool(true))
            #expect(try await browser.complaints() == [])
        }
    }

    @Test func `whatever users write is shown as text`() async throws {
        let attack = "<img src=x onerror=hacked=1>"
        let (writer, member) = (try await server.person("writer"), try await server.person("member"))
        let writing = server.client(writer)
        for (person, field) in [(writer, "displayName"), (writer, "bio"), (member, "displayName")] {
            let answer = try await server.client(person).patch("/v1/me", #"{"\#(field)":"\#(attack)"}"#)
            #expect(answer.status == 200, "\(answer)")
        }
        let made = try await writing.post(
            "/v1/communities", #"{"name":"\#(attack)","description":"\#(attack)\"><script>hacked=1</script>"}"#)
        let community = try #require(try made.json["communityId"]?.text)
        try await server.client(member).act("POST", "/v1/communities/\(community)/join")
        let fields =
            #""title":"\#(attack)","caption":"\"><script>hacked=1</script>\#(attack)","communityId":"\#(community)""#
        let post = try await publish(fields, by: writer)
        let shown = try await publish(fields, by: writer)
        let commented = try await server.client(member).post(
            "/v1/posts/\(post)/comments", #"{"content":"javascript:hacked=1 \#(attack)"}"#)
        let comment = try #require(try commented.json["commentId"]?.text)
        let words = #""reason":"\#(attack)","note":"\#(attack)""#
        _ = try await report(#""postId":"\#(post)""#, by: member, words)
        _ = try await report(#""commentId":"\#(comment)""#, by: writer, words)
        _ = try await report(#""userId":"\#(writer.idText)""#, by: member, words)
        _ = try await report(#""communityId":"\#(community)""#, by: member, words)
        let moderating = server.client(moderator)
        for (action, subject, more) in [
            ("warnUser", #""userId":"\#(writer.idText)""#, ""), ("holdPost", #""postId":"\#(post)""#, ""),
            ("banMember", #""userId":"\#(member.idText)""#, #","communityId":"\#(community)""#),
        ] {
            let answer = try await moderating.post(
                "/v1/moderation/actions", #"{"action":"\#(action)","subjects":[{\#(subject)}],\#(words)\#(more)}"#)
            #expect(answer.status == 200, "\(answer)")
        }
        let rule = try await moderating.post(
            "/v1/moderation/rules",
            #"{"name":"\#(attack)","kind":"keyword","action":"flag","definition":{"words":["x"],"wholeWords":true}}"#
        )
        #expect(rule.status == 201, "\(rule)")
        let log = try await moderating.get("/v1/moderation/modlog?userId=\(member.idText)")
        let entry = try #require(try log.json["items"]?.entries?.first?["entryId"]?.text)
        let appeal = try await server.client(member).post(
            "/v1/appeals", #"{"entryId":"\#(entry)","text":"\#(attack)"}"#)
        #expect(appeal.status == 201, "\(appeal)")

        try await Browser.open { browser async throws in
            try await signIn(browser)
            for place in [
                "#/reports?communityId=\(community)", "#/queue", "#/appeals", "#/communities",
                "#/community/\(community)",
                "#/community/\(community)?show=banned", "#/people?q=\(writer.username)", "#/user/\(writer.idText)",
                "#/modlog", "#/rules", "#/explorer?user=\(writer.username)&post=\(shown)",
            ] {
                try await show(place, in: browser)
                try await browser.wait(
                    until: "document.querySelector('#view').textContent.includes(arguments[0])", attack)
                let markup = "return document.querySelectorAll('img, body script, iframe, [onerror]').length"
                #expect(try await browser.run(markup) == .integer(0), "\(place)")
            }
            try await show("#/dashboard", in: browser)
            #expect(try await browser.run("return window.hacked ?? 'untouched'") == .string("untouched"))
            // A custom reason, typed by the moderator and shown in a toast.
            try await show("#/reports?communityId=\(community)&kind=post", in: browser)
            try await browser.wait(until: "document.querySelectorAll('.item').length === 1")
            try await browser.type("d")
            try await browser.type(attack + Self.enter, into: "dialog input[name=reason]")
            try await browser.wait(until: "document.querySelectorAll('.item').length === 0")
            #expect(try await browser.run("return window.hacked ?? 'untouched'") == .string("untouched"))
            #expect(try await browser.complaints() == [])
        }
    }
}
