import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// FitFocus's contract, as written in its product API.
@Suite(.timeLimit(.process), .sharedGraphd)
struct FitFocusTests {
    let server: GraphdServer
    let product = ProductUnderTest.fitFocus

    init() throws { server = try GraphdServer.shared }

    @Test func `videos are filtered by category and difficulty`() async throws {
        let member = try await product.member(server, "fil")
        let legs = try await product.video(member.client, post: #","category":"fil-legs","title":"Quokka squats""#)
        let arms = try await product.video(member.client, post: #","category":"fil-arms","title":"Quokka curls""#)
        #expect(try await product.ids(member.get("/videos?muscleGroup=Fil-Legs")) == [legs])
        #expect(try await product.ids(member.get("/videos?category=fil-arms")) == [arms])
        #expect(try await product.ids(member.get("/videos?category=fil-arms&difficultyLevel=advanced")) == [])
        #expect(try await product.ids(member.get("/videos?category=fil-arms&difficultyLevel=Beginner")) == [arms])
        #expect(try await Set(product.ids(member.get("/search/videos?q=quokka"))) == [legs, arms])
        #expect(try await product.ids(member.get("/search/videos?q=fil-legs")) == [legs])
        let document = try await member.get("/videos/\(legs)").json
        #expect(document["category"] == .string("fil-legs") && document["difficultyLevel"] == .string("beginner"))
        #expect(document["likesCount"] == .integer(0) && document["commentsCount"] == .integer(0))
    }

    @Test func `preferences are a map that is written entry by entry`() async throws {
        let member = try await product.member(server, "map")
        func preferences(_ body: String) async throws -> JSONValue? {
            try await member.client.put(member.path, body).json["preferences"]
        }
        let first = try await preferences(#"{"preferences":{"primaryGoal":"strength"}}"#)
        #expect(first?["primaryGoal"] == .string("strength") && first?["skillLevel"] == .null)
        let second = try await preferences(#"{"preferences":{"skillLevel":"intermediate","equipment":["bar"]}}"#)
        #expect(second?["primaryGoal"] == .string("strength") && second?["skillLevel"] == .string("intermediate"))
        #expect(second?["equipment"] == .array([.string("bar")]))
        #expect(try await preferences(#"{"preferences":{"equipment":null}}"#)?["equipment"] == nil)
    }

    @Test func `saved videos hold the id and the time`() async throws {
        let member = try await product.member(server, "sav")
        let video = try await product.video(member.client)
        _ = try await member.client.post("\(member.path)/saveVideo", #"{"videoId":"\#(video)"}"#)
        let saved = try await member.client.get("\(member.path)/savedVideos").json.entries?.first
        #expect(saved?.names == ["videoId", "savedAt"] && saved?["videoId"] == .string(video))
    }

    @Test func `a query finds a segment and its errors are those of the product API`() async throws {
        let member = try await product.member(server, "que")
        let video = try await product.video(member.client)
        let labels =
            #"[{"label":"Warm-up","startTime":30,"endTime":90},{"label":"Squats","startTime":90,"endTime":200}]"#
        #expect(try await member.client.put("/v1/posts/\(video)/segments", labels).status < 300)
        let listed = try #require(try await member.get("/videos/\(video)/segments").json.entries)
        #expect(listed.map(\.names) == Array(repeating: ["segmentId", "label", "startTime", "endTime"], count: 2))
        func search(_ query: String, in id: String? = nil) async throws -> Answer {
            try await member.post(
                "/smartScan/searchSegment", #"{"videoId":"\#(id ?? video)","userQuery":"\#(query)"}"#)
        }
        let found = try await search("Show me the warm-up").json
        #expect(found.names == ["segmentId", "startTime", "endTime"])
        #expect(found["segmentId"] == listed[0]["segmentId"])
        #expect(found["startTime"] == .integer(30) && found["endTime"] == .integer(90))
        #expect(try await search("go back to the squats").json["segmentId"] == listed[1]["segmentId"])
        let unmatched = try await search("meditation")
        #expect(
            try unmatched.status == 400 && unmatched.json["error"]?.text == "Video not found or AI analysis failed.")
        for id in ["1", "x"] {
            let missing = try await search("squats", in: id)
            #expect(missing.status == 400)
            #expect(try missing.json["error"] == .string("Video not found or AI analysis failed."), "\(id)")
        }
        let bare = try await member.post("/smartScan/searchSegment", "{}")
        #expect(try bare.status == 400 && bare.json["error"]?.text?.isEmpty == false)
    }

    @Test func `recommendations name the user`() async throws {
        let (author, member) = (try await product.member(server, "nau"), try await product.member(server, "nam"))
        for _ in 0..<3 { _ = try await product.video(author.client) }
        let answer = try await member.get("/recommendations?userId=\(member.id)").json
        #expect(answer.names == ["recommendations"] && (answer["recommendations"]?.entries?.count ?? 0) >= 3)
        for id in ["1", "nobody"] {
            let missing = try await member.get("/recommendations?userId=\(id)")
            #expect(missing.status == 400)
            #expect(try missing.json["error"] == .string("No user found or recommendation service error."))
        }
        try product.expectFailure(try await member.get("/recommendations?userId=\(author.id)"), 403, "forbidden")
    }
}
