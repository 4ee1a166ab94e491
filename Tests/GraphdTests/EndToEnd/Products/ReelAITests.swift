import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// ReelAI's contract, as written in its product API.
@Suite(.timeLimit(.process), .sharedGraphd)
struct ReelAITests {
    let server: GraphdServer
    let product = ProductUnderTest.reelAI

    init() throws { server = try GraphdServer.shared }

    @Test func `cooking time is at most or a range`() async throws {
        let member = try await product.member(server, "tim")
        var videos: [Int: String] = [:]
        for minutes in [10, 15, 16, 30, 45] {
            videos[minutes] = try await product.video(
                member.client, #","cookingTime":\#(minutes)"#, post: #","category":"timed""#)
        }
        func found(_ time: String) async throws -> [Int] {
            let ids = try await product.ids(member.get("/videos?category=timed&cookingTime=\(time)"))
            return videos.filter { ids.contains($0.value) }.keys.sorted()
        }
        #expect(try await found("15") == [10, 15])
        #expect(try await found("15..30") == [15, 16, 30])
        #expect(try await found("30..") == [30, 45])
        #expect(try await found("..15") == [10, 15])
        #expect(try await found("1") == [])
        for wrong in ["soon", "30..15", ".."] {
            try product.expectFailure(
                try await member.get("/videos?cookingTime=\(wrong)"), 400, "invalid_parameter")
        }
        let italian = try await product.ids(member.get("/videos?category=timed&cuisineType=ITALIAN&cookingTime=10"))
        #expect(italian == [videos[10]].compactMap(\.self))
    }

    @Test func `words find a video by its attributes`() async throws {
        let member = try await product.member(server, "wor")
        let video = try await product.video(member.client, #","equipment":["Quokka stone"]"#)
        for words in ["quokka%20italian", "italian%20Quok", "stone%20quokka%20Italian"] {
            #expect(try await product.ids(member.get("/search/videos?q=\(words)")) == [video], "\(words)")
        }
    }

    @Test func `either attribute makes a video of ReelAI`() async throws {
        let member = try await product.member(server, "eit")
        let timed = try #require(
            try await member.client.publish(with: #""attributes":{"cookingTime":5},"category":"either""#)["postId"]?
                .text)
        let neither = try #require(
            try await member.client.publish(with: #""attributes":{"servings":5},"category":"either""#)["postId"]?.text)
        #expect(try await product.ids(member.get("/videos?category=either")) == [timed])
        #expect(try await member.get("/videos/\(timed)").json["cuisineType"] == .null)
        try product.expectFailure(try await member.get("/videos/\(neither)"), 404, "post_not_found")
    }

    @Test func `segments are a map and smart scan names them`() async throws {
        let member = try await product.member(server, "seg")
        let video = try await product.video(member.client)
        let segments = #"""
            [{"label":"Ingredients","startTime":5,"endTime":12},{"label":"Sauce making","startTime":13,"endTime":25},
            {"label":"Taste","startTime":30,"endTime":35},{"label":"Taste","startTime":40,"endTime":45.25}]
            """#
        #expect(try await member.client.put("/v1/posts/\(video)/segments", segments).status < 300)
        let map = try #require(try await member.get("/videos/\(video)").json["aiSegments"])
        #expect(map.names == ["ingredients", "sauceMaking", "taste", "taste2"])
        #expect(map["taste2"]?["start"] == .integer(40) && map["taste2"]?["end"] == .double(45.25))
        func scan(_ query: String) async throws -> Answer {
            try await member.post("/smartScan", #"{"videoId":"\#(video)","query":"\#(query)"}"#)
        }
        for query in ["sauce-making", "skip to sauce-making section"] {
            let found = try await scan(query).json
            #expect(found.names == ["segmentName", "startTime", "endTime"])
            #expect(found["segmentName"] == .string("sauceMaking"), "\(query)")
            #expect(found["startTime"] == .integer(13) && found["endTime"] == .integer(25))
        }
        let listed = try await scan("show me the part where the ingredients are listed").json
        #expect(listed["segmentName"] == .string("ingredients"))
        try product.expectFailure(try await scan("how to blanch vegetables"), 404, "no_such_part")
        #expect(try await member.get("/videos/\(video)/segments").json.entries?.count == 4)
    }

    @Test func `the creator is named`() async throws {
        let member = try await product.member(server, "cre")
        let own = try await product.video(member.client)
        #expect(try await member.get("/videos/\(own)").json["creatorName"] == .string("cre"))
        let named = try await product.video(member.client, #","creatorName":"Chef John""#)
        #expect(try await member.get("/videos/\(named)").json["creatorName"] == .string("Chef John"))
        _ = try await member.client.put(member.path, #"{"displayName":"Crème"}"#)
        #expect(try await member.get("/videos/\(own)").json["creatorName"] == .string("Crème"))
    }

    @Test func `skill level and favorites stand in the user document`() async throws {
        let member = try await product.member(server, "ski")
        let video = try await product.video(member.client)
        let address = #""email":"ski.new@example.org","currentPassword":"correct horse""#
        let body = #"{"skillLevel":"beginner","favorites":["\#(video)"],\#(address)}"#
        let user = try await member.client.put(member.path, body).json
        #expect(user["skillLevel"] == .string("beginner") && user["favorites"] == .array([.string(video)]))
        #expect(user["email"] == .string("ski.new@example.org"))
        let bare = try await member.client.patch(member.path, #"{"skillLevel":null}"#).json
        #expect(bare["skillLevel"] == .null && bare["favorites"] == .array([.string(video)]))
    }

    @Test func `the personalized feed is an array that descends`() async throws {
        let (author, member) = (try await product.member(server, "fea"), try await product.member(server, "fee"))
        for _ in 0..<3 { _ = try await product.video(author.client) }
        let list = try #require(try await member.get("/getPersonalizedFeed?uid=\(member.id)").json.entries)
        #expect(list.count >= 3 && list.allSatisfy { $0.names == ["videoId", "score"] })
        let scores = list.compactMap { $0["score"]?.real }
        #expect(scores == scores.sorted(by: >) && scores.allSatisfy { (0...1).contains($0) })
        try product.expectFailure(try await member.get("/getPersonalizedFeed?uid=1"), 403, "forbidden")
    }
}
