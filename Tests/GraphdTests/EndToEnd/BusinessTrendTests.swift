import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// `GET /v1/trends`, and the algorithm "Business Trends" on the public timeline.
@Suite(.timeLimit(.process))
struct BusinessTrendTests {
    private static let ranked = "/v1/timelines/public?algorithms=Business%20Trends"

    /// Publishes `count` posts with `likes` in each of the two weeks, from their first hours on, newest last.
    private func publish(
        _ server: GraphdServer, _ client: APIClient, _ count: Int, _ members: String, later: Int64, earlier: Int64
    ) async throws -> [String] {
        var posts: [String] = []
        for _ in 0..<count {
            let post = try #require(try await client.publish(with: members)["postId"]?.text)
            try await server.engage(post, likes: later)
            try await server.engage(post, hoursAgo: 334, likes: earlier)
            posts.append(post)
        }
        return posts
    }

    private func bounds(_ item: JSONValue) throws -> (rating: Double, lower: Double, upper: Double) {
        guard case .double(let rating) = item["trendRating"] else { throw UnexpectedValue(value: item) }
        let text = try #require(item["confidenceInterval"]?.text)
        let match = try #require(text.wholeMatch(of: /95% CI: \[(\d\.\d\d), (\d\.\d\d)\]/))
        return (rating, try #require(Double(match.1)), try #require(Double(match.2)))
    }

    private struct UnexpectedValue: Error { let value: JSONValue }

    @Test func `topics are listed with their rating and interval`() async throws {
        try await GraphdServer.running { server in
            let (business, other) = (try await server.person(), try await server.person())
            try await server.makeBusiness(business)
            let client = server.client(business)
            _ = try await publish(
                server, client, 12, #""category":"Food","algorithmTags":["AI"]"#, later: 9, earlier: 1)
            _ = try await publish(server, client, 1, #""algorithmTags":["Alone"]"#, later: 900, earlier: 100)
            let answer = try await client.get("/v1/trends")
            #expect(answer.status == 200)
            let items = try #require(try answer.json["items"]?.entries)
            #expect(Set(items.prefix(2).compactMap { $0["name"]?.text }) == ["Food", "AI"])
            #expect(Set(items.compactMap { $0["kind"]?.text }) == ["category", "tag"])
            for item in items.prefix(2) {
                #expect(
                    item.names == ["name", "kind", "trendRating", "confidenceInterval", "engagements", "posts"])
                let (rating, lower, upper) = try bounds(item)
                #expect(abs(rating - 0.9) < 0.01 && lower < rating && upper > rating && lower > 0.8)
                #expect(item["engagements"] == .integer(120) && item["posts"] == .integer(12))
            }
            // A single post is not enough to rate a topic.
            let alone = try #require(items.last)
            #expect(alone["name"]?.text == "Alone" && alone["trendRating"] == .null)
            #expect(alone["confidenceInterval"] == .null && alone["engagements"] == .integer(1_000))
            let tags = try await client.get("/v1/trends?kind=tag&limit=1&window=7d").json["items"]?.entries
            #expect(tags?.map { $0["name"]?.text } == ["AI"])
            try await server.client(other).get("/v1/trends").expectProblem(403, "not_business")
        }
    }

    @Test func `wrong parameters are named`() async throws {
        try await GraphdServer.running { server in
            let business = try await server.person()
            try await server.makeBusiness(business)
            let client = server.client(business)
            for (query, field) in [("window=1h", "window"), ("kind=topic", "kind")] {
                try await client.get("/v1/trends?\(query)").expectProblem(400, "invalid_parameter", field: field)
            }
            try await client.get("/v1/trends?limit=0").expectProblem(400, "invalid_limit", field: "limit")
            try await client.get("/v1/trends?cursor=1.1").expectProblem(400, "unknown_parameter", field: "cursor")
            try await client.get(Self.ranked + "&cursor=17").expectProblem(400, "invalid_cursor", field: "cursor")
        }
    }

    @Test func `business accounts see public posts by trend with their data`() async throws {
        try await GraphdServer.running { server in
            let (business, other) = (try await server.person(), try await server.person())
            try await server.makeBusiness(business)
            let client = server.client(business)
            let falling = try await publish(server, client, 1, #""algorithmTags":["AI"]"#, later: 10, earlier: 90)
            let rising = try await publish(server, client, 1, #""algorithmTags":["AI"]"#, later: 90, earlier: 10)
            let steady = try await publish(server, client, 1, #""algorithmTags":["Run"]"#, later: 50, earlier: 50)
            let few = try await publish(server, client, 1, #""algorithmTags":["AI"]"#, later: 19, earlier: 0)
            let all = rising + steady + falling
            for spelling in ["Business%20Trends", "business+trends", "BUSINESS%20TRENDS"] {
                #expect(try await client.page("/v1/timelines/public?algorithms=\(spelling)") == all)
            }
            #expect(try await client.page(Self.ranked + ",ai") == rising + falling)
            #expect(try await client.page(Self.ranked + ",run,AI") == all)
            let first = try await client.get(Self.ranked + "&limit=2&explain=true").json
            let item = try #require(first["items"]?.entries?.first)
            let (rating, lower, upper) = try bounds(try #require(item["businessData"]))
            #expect(abs(rating - 0.9) < 0.01 && lower < 0.9 && upper > 0.9)
            #expect(item["reasons"]?.entries?.compactMap { $0["kind"]?.text } == ["public", "business_trend"])
            let cursor = try #require(first["nextCursor"]?.text)
            let second = try await client.get(Self.ranked + "&limit=2&cursor=\(cursor)").json
            #expect(second.ids == falling && second["nextCursor"] == .null)
            // Without the algorithm, the same feed is ordered by time.
            #expect(try await client.page("/v1/timelines/public") == few + steady + rising + falling)

            let stranger = server.client(other)
            try await stranger.get(Self.ranked).expectProblem(403, "not_business")
            try await stranger.get(Self.ranked + ",ai").expectProblem(403, "not_business")
            // A selection that includes the algorithm ranks for business accounts. For all others it is an ordinary
            // tag.
            for client in [client, stranger] {
                _ = try await client.patch("/v1/me", #"{"selectedAlgorithms":["Business Trends","Run"]}"#)
            }
            #expect(try await client.page("/v1/timelines/public?algorithms=selected") == steady)
            #expect(try await stranger.page("/v1/timelines/public?algorithms=selected") == steady)
            #expect(
                try await client.get("/v1/timelines/public?algorithms=selected").json["items"]?.entries?.first?[
                    "businessData"] != nil)
        }
    }
}
