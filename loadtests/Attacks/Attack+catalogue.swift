import GraphdClient
import NIOCore

extension Attack {
    /// Attacks that cost the server processor time, connections or slots.
    static let all: [Attack] = [
        marks, transcripts, rules, logIns, signUps, filters, searches, exports, idleConnections, slowBodies,
        postStreams,
    ]

    /// Returns a text of `count` combining marks in an order that normalisation has to sort.
    private static func marks(_ count: Int) -> String { String(repeating: "\u{300}\u{316}", count: count / 2) }

    private static let marks = Attack(
        name: "marks", summary: "member names and e-mail addresses of 260 kB of combining marks, without a token",
        connections: 4
    ) { _ in
        let hostile = marks(130_000)
        return .requests([
            LoadRequest(kind: 0, "POST", "/v1/auth/refresh", token: nil, body: #"{"a\#(hostile)":1}"#),
            LoadRequest(
                kind: 0, "POST", "/v1/auth/signup", token: nil,
                body: #"{"email":"a\#(hostile)@example.org","password":"a long way","username":"marked"}"#),
            LoadRequest(
                kind: 0, "POST", "/v1/auth/login", token: nil,
                body: #"{"email":"a\#(hostile)@example.org","password":"a\#(hostile)"}"#),
        ])
    }

    private static let transcripts = Attack(
        name: "transcripts", summary: "WebVTT of 90 kB of opening brackets", connections: 3
    ) { site in
        let post = try await site.attacker.publish(SampleGraph.draft(1))
        let text = #"WEBVTT\n\n00:01.000 --> 00:04.000\n"# + String(repeating: "<", count: 90_000)
        return .requests([
            LoadRequest(
                kind: 0, "PUT", "/v1/posts/\(post)/transcript", token: site.attackerToken,
                body: #"{"format":"vtt","text":"\#(text)"}"#)
        ])
    }

    private static let rules = Attack(
        name: "rules", summary: "100 costly patterns in a community of one's own, and posts in it", connections: 8
    ) { site in
        let community = try await site.attacker.communities.create(NewCommunity(name: "Traps")).communityId
        for number in 1...100 {
            // If the server refuses a pattern as too costly, the next one is tried.
            try await site.attempt {
                try await site.attacker.moderation.createRule(
                    NewRule(
                        name: "Trap \(number)", kind: .pattern, action: .hold,
                        definition: RuleDefinition(pattern: "([a-z ]?){140}#"), communityId: community))
            }
        }
        let (client, member) = try await site.accomplice()
        try await site.attempt { try await client.communities.join(communityId: community) }
        let caption = String(repeating: "a word and ", count: 199)
        return .requests([
            LoadRequest(
                kind: 0, "POST", "/v1/posts", token: member,
                body: #"{"caption":"\#(caption)","mediaUrl":"https://media.example/1.mp4","#
                    + #""communityId":"\#(community)"}"#)
        ])
    }

    private static let logIns = Attack(
        name: "log-ins", summary: "guesses at passwords", connections: 80
    ) { _ in
        .requests(
            (1...10).map { number in
                LoadRequest(
                    kind: 0, "POST", "/v1/auth/login", token: nil,
                    body: #"{"email":"honest\#(number)@example.org","password":"a guess \#(number)"}"#)
            })
    }

    private static let signUps = Attack(
        name: "sign-ups", summary: "new accounts", connections: 32
    ) { _ in
        .requests(
            (1...1_000).map { number in
                LoadRequest(
                    kind: 0, "POST", "/v1/auth/signup", token: nil,
                    body: #"{"email":"flood\#(number)@example.org","password":"a long way \#(number)","#
                        + #""username":"flood\#(number)"}"#)
            })
    }

    private static let filters = Attack(
        name: "filters", summary: "a filter that no post matches", connections: 16
    ) { site in
        .requests([
            LoadRequest(kind: 0, "GET", "/v1/timelines/public?attributes.x=1", token: site.attackerToken),
            LoadRequest(
                kind: 0, "GET", "/v1/timelines/public?category=comedy&attributes.x=1", token: site.attackerToken),
        ])
    }

    private static let searches = Attack(
        name: "searches", summary: "searches with a slip of one letter", connections: 16
    ) { site in
        .requests(
            ["captoins", "lenght", "videso", "nubmer", "shrot"].map {
                LoadRequest(kind: 0, "GET", "/v1/search/posts?q=\($0)", token: site.attackerToken)
            })
    }

    private static let exports = Attack(
        name: "exports", summary: "exports of one's own account", connections: 16
    ) { site in
        for number in 1...20 { _ = try await site.attacker.publish(SampleGraph.draft(number)) }
        return .requests([LoadRequest(kind: 0, "GET", "/v1/me/export", token: site.attackerToken)])
    }

    private static let idleConnections = Attack(
        name: "connections", summary: "connections that send half a header and then nothing", connections: 1_100
    ) { _ in .held(ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")) }

    private static let slowBodies = Attack(
        name: "bodies", summary: "sign-ups whose body never ends", connections: 400
    ) { _ in
        .held(
            ByteBuffer(
                string: "POST /v1/auth/signup HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000\r\n\r\n{"))
    }

    private static let postStreams = Attack(
        name: "streams", summary: "streams of one post", connections: 1_200
    ) { site in
        let post = try await site.attacker.publish(SampleGraph.draft(1))
        return .held(LoadRequest(kind: 0, "GET", "/v1/posts/\(post)/stream", token: site.attackerToken).bytes)
    }
}
