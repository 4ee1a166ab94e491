import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// FitStream's contract, as written in its product API.
@Suite(.timeLimit(.process), .sharedGraphd)
struct FitStreamTests {
    let server: GraphdServer
    let product = ProductUnderTest.fitStream

    init() throws { server = try GraphdServer.shared }

    @Test func `a video document holds what its post says`() async throws {
        let member = try await product.member(server, "doc")
        let video = try await product.video(
            member.client, #","difficulty":"Beginner","duration":754,"muscleGroup":"Legs""#,
            post: #","title":"Hill sprints","thumbnailUrl":"https://example.org/t.jpg""#)
        let document = try await member.get("/videos/\(video)").json
        let expected: [String: JSONValue] = [
            "video_id": .string(video), "title": .string("Hill sprints"), "description": .string("a caption"),
            "videoUrl": .string("https://example.org/v.mp4"), "thumbnailUrl": .string("https://example.org/t.jpg"),
            "workoutType": .string("HIIT"), "difficulty": .string("Beginner"), "duration": .integer(754),
            "muscleGroup": .string("Legs"),
        ]
        for (key, value) in expected { #expect(document[key] == value, "\(key)") }
    }

    @Test func `search finds words in title and description under filters`() async throws {
        let member = try await product.member(server, "sea")
        func video(_ title: String, _ attributes: String) async throws -> String {
            try await product.video(member.client, attributes, post: #","title":"\#(title)""#)
        }
        let easy = try await video("Zanzibar legs", #","difficulty":"Beginner","duration":599,"muscleGroup":"Legs""#)
        let middle = try await video("Zanzibar arms", #","difficulty":"Advanced","duration":600,"muscleGroup":"Arms""#)
        let long = try await video("Zanzibar long", #","difficulty":"beginner","duration":1800"#)
        func found(_ query: String) async throws -> Set<String> {
            Set(try await product.ids(member.get("/search/videos?\(query)")))
        }
        #expect(try await found("q=zanzibar") == [easy, middle, long])
        #expect(try await found("q=zanz&difficulty=BEGINNER") == [easy, long])
        #expect(try await found("q=zanzibar&muscleGroup=legs") == [easy])
        #expect(try await found("q=zanzibar&duration=short") == [easy])
        #expect(try await found("q=zanzibar&duration=medium") == [middle])
        #expect(try await found("q=zanzibar&duration=long") == [long])
        #expect(try await found("q=zanzibar&duration=600..1800") == [middle, long])
        #expect(try await found("q=zanzibar&workoutType=yoga") == [])
        #expect(try await found("q=Zanzibor") == [easy, middle, long], "one letter is wrong")
        try product.expectFailure(
            try await member.get("/search/videos?q=a&duration=brief"), 400, "invalid_parameter")
        let latest = try await product.ids(member.get("/search/videos?q=zanzibar&sort=recent&limit=2"))
        #expect(latest == [long, middle])
    }

    @Test func `workout preferences are written entry by entry`() async throws {
        let member = try await product.member(server, "pre")
        let body = #"{"workoutPreferences":{"preferredWorkoutTypes":["HIIT","Yoga"],"other":1}}"#
        let first = try await member.client.put(member.path, body).json["workoutPreferences"]
        #expect(first?.names == ["preferredWorkoutTypes", "preferredDifficulty"])
        #expect(first?["preferredDifficulty"] == .null)
        let second = try await member.client.patch(
            member.path, #"{"workoutPreferences":{"preferredDifficulty":"Intermediate"}}"#
        ).json["workoutPreferences"]
        #expect(second?["preferredWorkoutTypes"] == .array([.string("HIIT"), .string("Yoga")]))
        #expect(second?["preferredDifficulty"] == .string("Intermediate"))
        let third = try await member.client.patch(
            member.path, #"{"workoutPreferences":{"preferredWorkoutTypes":null}}"#
        ).json["workoutPreferences"]
        #expect(third?["preferredWorkoutTypes"] == .null)
        try product.expectFailure(
            try await member.client.patch(member.path, #"{"workoutPreferences":{"preferredDifficulty":1}}"#),
            400, "invalid_type")
        // Preferences of other product APIs are kept.
        #expect(try await member.client.patch("/v1/me", #"{"preferences":{"diet":"vegan"}}"#).status == 200)
        _ = try await member.client.put(member.path, body)
        #expect(try await member.client.get("/v1/me").json["preferences"]?["diet"] == .string("vegan"))
    }

    @Test func `saved videos can be written as a whole`() async throws {
        let member = try await product.member(server, "who")
        var videos: [String] = []
        for _ in 0..<3 { videos.append(try await product.video(member.client)) }
        func write(_ ids: [String]) async throws -> Answer {
            let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
            return try await member.client.put(member.path, #"{"savedVideos":[\#(list)]}"#)
        }
        func saved(_ answer: Answer) throws -> [String] {
            try answer.json["savedVideos"]?.entries?.compactMap(\.text) ?? []
        }
        #expect(try await saved(write([videos[0], videos[1]])) == [videos[0], videos[1]])
        #expect(try await saved(write([videos[2], videos[1]])) == [videos[2], videos[1]])
        try product.expectFailure(try await write([videos[2], "1"]), 404, "post_not_found")
        #expect(try await saved(member.client.get(member.path)) == [videos[2], videos[1]])
        #expect(try await saved(write([])) == [])
        _ = try await member.post("/videos/\(videos[1])/like", "{}")
        let liked = try await member.client.get(member.path).json["likedVideos"]?.entries
        #expect(liked == [.string(videos[1])])
    }

    @Test func `a command jumps to the start of a segment`() async throws {
        let member = try await product.member(server, "jum")
        let video = try await product.video(member.client)
        let segments = #"""
            [{"label":"Intro","startTime":0,"endTime":12.5},{"label":"Warm-up","startTime":12.5,"endTime":95},
            {"label":"Cardio","startTime":95,"endTime":400}]
            """#
        #expect(try await member.client.put("/v1/posts/\(video)/segments", segments).status < 300)
        func jump(_ command: String) async throws -> Answer {
            try await member.post("/ai/workoutJump", #"{"videoId":"\#(video)","command":"\#(command)"}"#)
        }
        #expect(try await jump("show warm-up").json == .object([.init(name: "timestamp", value: .double(12.5))]))
        #expect(try await jump("skip to cardio").json["timestamp"] == .integer(95))
        #expect(try await jump("Skip intro").json["timestamp"] == .double(12.5))
        #expect(try await jump("jump to 3:20").json["timestamp"] == .integer(200))
        try product.expectFailure(try await jump("how to blanch vegetables"), 404, "no_such_part")
        try product.expectFailure(
            try await member.post("/ai/workoutJump", #"{"videoId":"1","command":"x"}"#), 404, "post_not_found")
        try product.expectFailure(
            try await member.post("/ai/workoutJump", #"{"videoId":"\#(video)"}"#), 400, "missing_field")
    }

    @Test func `recommendations descend and hold videos of the product only`() async throws {
        let (author, member) = (try await product.member(server, "rea"), try await product.member(server, "rec"))
        for _ in 0..<3 { _ = try await product.video(author.client) }
        _ = try await author.client.publish("of no product")
        let answer = try await member.get("/ai/recommendations?user_id=\(member.id)")
        #expect(try answer.status == 200 && answer.json.names == ["recommendations"])
        let list = try #require(try answer.json["recommendations"]?.entries)
        #expect(list.count >= 3)
        for item in list {
            #expect(item.names == ["videoId", "score"])
            let video = try #require(item["videoId"]?.text)
            #expect(try await member.get("/videos/\(video)").status == 200)
        }
        let scores = list.compactMap { $0["score"]?.real }
        #expect(scores.count == list.count && scores == scores.sorted(by: >))
        #expect(scores.allSatisfy { (0...1).contains($0) })
        try product.expectFailure(
            try await member.get("/ai/recommendations?user_id=\(author.id)"), 403, "forbidden")
    }
}
