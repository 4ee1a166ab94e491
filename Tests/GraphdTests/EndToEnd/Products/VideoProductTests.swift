import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// Promises that every video product makes, with the field names of each.
@Suite(.timeLimit(.process), .sharedGraphd)
struct VideoProductTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    @Test(arguments: ProductUnderTest.all)
    func `a user signs up, logs in and alone reads what is private`(product: ProductUnderTest) async throws {
        let (ida, other) = (try await product.member(server, "ida"), try await product.member(server, "odo"))
        let login = try await server.client().post(
            "\(product.base)/auth/login", #"{"email":"\#(ida.email)","password":"correct horse"}"#)
        #expect(try login.status == 200 && login.json.names == product.userKeys + ["token"])
        let own = try await ida.client.get(ida.path)
        #expect(try own.json.names == product.userKeys && own.json[product.name] == .string("ida"))
        let seen = try await other.client.get(ida.path)
        #expect(try seen.json.names == product.userKeys && seen.json[product.name] == .string("ida"))
        for key in ["email", "savedVideos", "likedVideos", "workoutPreferences", "skillLevel", "favorites"]
        where product.userKeys.contains(key) {
            #expect(try seen.json[key] == .null, "\(key)")
        }
        // A missing name is derived from the address, with a number if it is taken.
        let twin = try await server.client().post(
            "\(product.base)/auth/signup",
            #"{"email":"ida@\#(product.base.dropFirst()).example","password":"correct horse"}"#)
        #expect(try twin.status == 201 && twin.json[product.name]?.text?.hasPrefix("ida") == true)
        try product.expectFailure(
            try await server.client().post(
                "\(product.base)/auth/login", #"{"email":"\#(ida.email)","password":"wrong horse"}"#),
            401, "wrong_credentials")
        try product.expectFailure(
            try await server.client().post(
                "\(product.base)/auth/signup", #"{"email":"\#(ida.email)","password":"correct horse"}"#),
            409, "email_taken")
        try product.expectFailure(try await server.client().get("\(product.base)/videos"), 401, "token_missing")
        #expect(try await ida.post("/auth/logout", "").status == 204)
        try product.expectFailure(try await ida.get("/videos"), 401, "token_invalid")
    }

    @Test(arguments: ProductUnderTest.all)
    func `only videos of the product are listed the latest first`(product: ProductUnderTest) async throws {
        let member = try await product.member(server, "lil")
        var videos: [String] = []
        for _ in 0..<5 { videos.append(try await product.video(member.client, post: #","category":"lil""#)) }
        let stranger = try await member.client.publish("of no product")
        var found: [String] = []
        var cursor: String?
        repeat {
            let place = cursor.map { "&startAfter=\($0)" } ?? ""
            let answer = try await member.get("/videos?limit=2&category=LIL\(place)")
            for video in try answer.json.entries ?? [] { #expect(video.names == product.videoKeys) }
            found += try product.ids(answer)
            cursor = answer.header("X-Next-Cursor")
            #expect(cursor == nil || cursor == found.last)
        } while cursor != nil
        #expect(found == videos.reversed())
        #expect(try await !product.ids(member.get("/videos?limit=100")).contains(stranger))
        try product.expectFailure(try await member.get("/videos/\(stranger)"), 404, "post_not_found")
        let one = try await member.get("/videos/\(videos[0])")
        #expect(try one.status == 200 && one.json.names == product.videoKeys)
        #expect(try one.json["title"] == .null && one.json["thumbnailUrl"] == .null)
        try product.expectFailure(try await member.get("/videos?limit=0"), 400, "invalid_limit")
        try product.expectFailure(try await member.get("/videos?startAfter=x"), 400, "invalid_cursor")
        try product.expectFailure(try await member.get("/videos?sort=best"), 400, "invalid_parameter")
        #expect(try await member.get("/videos?unknown=1&limit=1&q=").status == 200)
    }

    @Test(arguments: ProductUnderTest.all)
    func `popular videos come first and their pages agree`(product: ProductUnderTest) async throws {
        let member = try await product.member(server, "pop")
        let fan = try await product.member(server, "fan")
        var videos: [String] = []
        for _ in 0..<4 { videos.append(try await product.video(member.client, post: #","category":"popular""#)) }
        for video in [videos[1], videos[3]] {
            _ = try await fan.post("/videos/\(video)/like", "{}")
            _ = try await member.post("/videos/\(videos[1])/like", "{}")
        }
        let first = try await fan.get("/videos?sort=popular&category=popular&limit=3")
        let cursor = try #require(first.header("X-Next-Cursor"))
        _ = try await fan.post("/videos/\(videos[0])/like", "{}")
        let second = try await fan.get("/videos?sort=popular&category=popular&limit=3&startAfter=\(cursor)")
        #expect(try product.ids(first) + product.ids(second) == [1, 3, 2, 0].map { videos[$0] })
        try product.expectFailure(
            try await fan.get("/videos?sort=popular&category=other&startAfter=\(cursor)"), 400, "invalid_cursor")
    }

    @Test(arguments: ProductUnderTest.all)
    func `a video is liked and commented on in the product's words`(product: ProductUnderTest) async throws {
        let (author, member) = (try await product.member(server, "aut"), try await product.member(server, "mem"))
        let video = try await product.video(author.client)
        for _ in 0..<2 {
            let like = try await member.post(
                "/videos/\(video)/like", #"{"\#(product.userIDField)":"\#(member.id)"}"#)
            #expect(try like.status == 200 && like.json.names == ["status", "message", product.likes])
            #expect(try like.json[product.likes] == .integer(1))
        }
        let unlike = try await member.client.delete("\(product.base)/videos/\(video)/like")
        #expect(try unlike.json[product.likes] == .integer(0))
        try product.expectFailure(
            try await member.post("/videos/\(video)/like", #"{"\#(product.userIDField)":"\#(author.id)"}"#),
            403, "forbidden")
        var texts: [String] = []
        for (number, path) in ["comment", "comments", "comment"].enumerated() {
            let text = "comment \(number)"
            let made = try await member.post(
                "/videos/\(video)/\(path)", #"{"\#(product.userIDField)":"\#(member.id)","text":"\#(text)"}"#)
            #expect(try made.status == 201 && made.json.names == product.commentKeys)
            #expect(try made.json[product.userIDField] == .string(member.id))
            texts.append(text)
        }
        let first = try await member.get("/videos/\(video)/comments?limit=2")
        let rest = try await member.get(
            "/videos/\(video)/comments?limit=2&startAfter=\(try #require(first.header("X-Next-Cursor")))")
        let told = try (first.json.entries ?? []) + (rest.json.entries ?? [])
        #expect(told.compactMap { $0["text"]?.text } == texts && rest.header("X-Next-Cursor") == nil)
        try product.expectFailure(
            try await member.post("/videos/\(video)/comment", "{}"), 400, "missing_field")
        for id in noIDs {
            try product.expectFailure(try await member.post("/videos/\(id)/like", "{}"), 404, "post_not_found")
        }
    }

    @Test(arguments: ProductUnderTest.all)
    func `a like is taken back through its own product, even if the video is hidden`(
        product: ProductUnderTest
    ) async throws {
        let (author, member) = (try await product.member(server, "gav"), try await product.member(server, "tak"))
        let video = try await product.video(author.client)
        func likes() async throws -> JSONValue? {
            try await author.post("/videos/\(video)/like", "{}").json[product.likes]
        }
        _ = try await member.post("/videos/\(video)/like", "{}")
        for other in ProductUnderTest.all where other.base != product.base {
            try product.expectFailure(
                try await member.client.delete("\(other.base)/videos/\(video)/like"), 404, "post_not_found")
        }
        #expect(try await likes() == .integer(2))
        try await author.client.act("PUT", "/v1/users/\(member.id)/block")
        try product.expectFailure(
            try await member.client.delete("\(product.base)/videos/\(video)/like"), 404, "post_not_found")
        #expect(try await likes() == .integer(1))
    }

    @Test(arguments: ProductUnderTest.all)
    func `saved videos and collections are one's own`(product: ProductUnderTest) async throws {
        let (member, other) = (try await product.member(server, "sam"), try await product.member(server, "oth"))
        var videos: [String] = []
        for _ in 0..<3 { videos.append(try await product.video(other.client)) }
        for video in videos {
            let saved = try await member.client.post(
                "\(member.path)/saveVideo", #"{"\#(product.videoID)":"\#(video)"}"#)
            #expect(try saved.status == 200 && saved.json.names == product.userKeys + ["status"])
        }
        let foreign = try await other.client.publish("of no product")
        #expect(try await member.client.put("/v1/posts/\(foreign)/save").status == 200)
        let list = try await member.client.get("\(member.path)/savedVideos?limit=2")
        #expect(try product.ids(list) == [videos[2], videos[1]])
        #expect(try list.json.entries?.allSatisfy { $0["savedAt"]?.text != nil } == true)
        let cursor = try #require(list.header("X-Next-Cursor"))
        let rest = try await member.client.get("\(member.path)/favorites?limit=2&startAfter=\(cursor)")
        #expect(try product.ids(rest) == [videos[0]])
        #expect(try rest.json.entries?.first?.names == product.videoKeys)
        for path in ["saveVideo", "favorites"] {
            let gone = try await member.client.delete("\(member.path)/\(path)/\(videos[1])")
            #expect(gone.status == 200, "\(gone)")
        }
        #expect(try await product.ids(member.client.get("\(member.path)/favorites")) == [videos[2], videos[0]])
        try product.expectFailure(try await other.client.get("\(member.path)/savedVideos"), 403, "forbidden")
        try product.expectFailure(
            try await other.client.post("\(member.path)/saveVideo", #"{"\#(product.videoID)":"\#(videos[0])"}"#),
            403, "forbidden")

        let made = try await member.client.post("\(member.path)/collections", #"{"name":"My Workouts"}"#)
        let collection = "\(member.path)/collections/\(try #require(try made.json["collectionId"]?.text))"
        for video in videos {
            let put = try await member.client.post("\(collection)/videos", #"{"\#(product.videoID)":"\#(video)"}"#)
            #expect(try put.json == .object([.init(name: "status", value: .string("success"))]))
        }
        _ = try await member.client.put("\(collection)/order", #"{"videoIds":["\#(videos[2])"]}"#)
        #expect(
            try await product.ids(member.client.get("\(collection)/videos")) == [videos[2], videos[0], videos[1]])
        _ = try await member.client.delete("\(collection)/videos/\(videos[0])")
        #expect(try await member.client.patch(collection, #"{"name":"Ours"}"#).json["postsCount"] == .integer(2))
        #expect(try await member.client.get("\(member.path)/collections").json.entries?.count == 1)
        #expect(try await member.client.delete(collection).status == 200)
        try product.expectFailure(try await member.client.delete(collection), 404, "collection_not_found")
    }

    @Test(arguments: ProductUnderTest.all)
    func `a user document is written in part`(product: ProductUnderTest) async throws {
        let member = try await product.member(server, "wri")
        let picture = product.userKeys.first { $0.contains("profile") } ?? ""
        let changed = try await member.client.put(
            member.path, #"{"\#(product.name)":"Wri","\#(picture)":"https://example.org/w.png","likedVideos":["1"]}"#)
        #expect(try changed.status == 200 && changed.json[product.name] == .string("Wri"))
        #expect(try changed.json[picture] == .string("https://example.org/w.png"))
        let bare = try await member.client.patch(member.path, #"{"\#(picture)":null}"#)
        #expect(try bare.json[picture] == .null && bare.json[product.name] == .string("Wri"))
        let other = try await product.member(server, "wra")
        try product.expectFailure(
            try await other.client.put(member.path, #"{"\#(product.name)":"x"}"#), 403, "forbidden")
        try product.expectFailure(
            try await member.client.put(member.path, #"{"\#(product.name)":5}"#), 400, "invalid_type")
    }

    @Test(arguments: ProductUnderTest.all)
    func `what is hidden is in no list of a product`(product: ProductUnderTest) async throws {
        let (author, member) = (try await product.member(server, "hid"), try await product.member(server, "see"))
        let video = try await product.video(author.client, post: #","category":"hidden","visibility":"followers""#)
        let open = try await product.video(author.client, post: #","category":"hidden""#)
        func listed() async throws -> [String] { try await product.ids(member.get("/videos?category=hidden")) }
        #expect(try await listed() == [open])
        try product.expectFailure(try await member.get("/videos/\(video)"), 404, "post_not_found")
        try await member.client.act("PUT", "/v1/users/\(author.id)/follow")
        #expect(try await listed() == [open, video])
        try await member.client.act("PUT", "/v1/users/\(author.id)/mute")
        #expect(try await listed() == [])
        try await member.client.act("PUT", "/v1/users/\(author.id)/block")
        try product.expectFailure(try await member.get("/videos/\(open)"), 404, "post_not_found")
        try product.expectFailure(try await member.post("/videos/\(open)/like", "{}"), 404, "post_not_found")
    }
}
