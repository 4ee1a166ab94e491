import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// VistaVid's contract, request by request as written in its product API. Only the base URL differs.
@Suite(.timeLimit(.process), .sharedGraphd)
struct VistaVidTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let videoKeys = [
        "videoId", "userId", "videoUrl", "thumbnailUrl", "description", "likesCount", "commentsCount", "sharesCount",
        "createdAt", "algorithmTags", "businessData",
    ]

    /// Signs up and logs in according to the contract.
    private func member(_ name: String, _ more: String = "") async throws -> (id: String, client: APIClient) {
        let signup = try await server.client().post(
            "/vistavid/auth/signup",
            #"{"email":"\#(name)@example.org","password":"correct horse","username":"\#(name)"\#(more)}"#)
        #expect(signup.status == 201, "\(signup)")
        #expect(try signup.json.names == ["success", "userId"] && signup.json["success"] == .bool(true))
        let login = try await server.client().post(
            "/vistavid/auth/login", #"{"email":"\#(name)@example.org","password":"correct horse"}"#)
        #expect(login.status == 200)
        #expect(try login.json.names == ["success", "userId", "token"])
        let id = try #require(try login.json["userId"]?.text)
        #expect(try signup.json["userId"]?.text == id)
        return (id, server.client(token: try login.json["token"]?.text))
    }

    private func video(_ client: APIClient, _ description: String, tags: [String]) async throws -> String {
        let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
        var form = FormText()
        form.add("videoFile", file: SampleFile.mp4(), named: "clip.mp4")
        form.add("description", description)
        form.add("algorithmTags", "[\(list)]")
        let answer = try await client.upload(form, to: "/vistavid/video/upload")
        #expect(answer.status == 201, "\(answer)")
        #expect(try answer.json.names == ["success", "videoId"])
        return try #require(try answer.json["videoId"]?.text)
    }

    private func expectFailure(_ answer: Answer, _ status: Int, _ code: String) throws {
        #expect(answer.status == status, "\(answer)")
        #expect(try answer.json["success"] == .bool(false) && answer.json["code"] == .string(code))
        #expect(try answer.json["error"]?.text?.isEmpty == false)
    }

    @Test func `signing up with a picture and reading oneself`() async throws {
        let picture = Data(SampleFile.png()).base64EncodedString()
        let (id, client) = try await member("pia", #","profilePicData":"\#(picture)","device":"ignored""#)
        let user = try await client.get("/vistavid/user/\(id)")
        #expect(
            try user.json.names == [
                "userId", "username", "email", "profilePicUrl", "createdAt", "isBusiness", "selectedAlgorithms",
            ])
        #expect(try user.json["email"] == .string("pia@example.org") && user.json["isBusiness"] == .bool(false))
        #expect(try user.json["selectedAlgorithms"] == .array([]))
        let url = try #require(try user.json["profilePicUrl"]?.text)
        let picked = try await server.client().get(String(url.dropFirst(server.client().base.count)))
        #expect(picked.status == 200 && picked.body == SampleFile.png())
        let (_, other) = try await member("pip")
        let seen = try await other.get("/vistavid/user/\(id)")
        #expect(try seen.json["email"] == .null && seen.json["selectedAlgorithms"] == .null)
        let wrong = try await server.client().post(
            "/vistavid/auth/signup", #"{"email":"pia@example.org","password":"correct horse","username":"pia2"}"#)
        try expectFailure(wrong, 409, "email_taken")
        let denied = try await server.client().post(
            "/vistavid/auth/login", #"{"email":"pia@example.org","password":"wrong horse"}"#)
        try expectFailure(denied, 401, "wrong_credentials")
        try expectFailure(try await server.client().get("/vistavid/videos"), 401, "token_missing")
    }

    @Test func `the feed is ten at a time and filtered by algorithms`() async throws {
        let (id, client) = try await member("vic")
        var videos: [String] = []
        for number in 0..<12 {
            videos.append(
                try await video(client, "video \(number)", tags: number % 2 == 0 ? ["VicAI"] : ["VicFit", "x"]))
        }
        let first = try await client.get("/vistavid/videos")
        #expect(try first.json.names == ["videos", "lastVisible"])
        let page = try #require(try first.json["videos"]?.entries)
        #expect(page.count == 10)
        for video in page { #expect(video.names == Self.videoKeys) }
        let newest = try await client.get("/vistavid/video/\(videos[11])")
        #expect(try newest.json == page.first { $0["videoId"]?.text == videos[11] })
        #expect(try newest.json["description"] == .string("video 11") && newest.json["userId"] == .string(id))
        #expect(try newest.json["algorithmTags"] == .array([.string("VicFit"), .string("x")]))
        #expect(try newest.json["businessData"] == .null)
        // The video file, by its URL without the query.
        let url = try #require(try newest.json["videoUrl"]?.text)
        let file = try await server.client().get(String(url.dropFirst(server.client().base.count)))
        #expect(file.status == 200 && file.body == SampleFile.mp4())

        var found: [String] = []
        var cursor: String?
        repeat {
            let query = "algorithmFilter=vicai,%20Nothing&limit=4" + (cursor.map { "&lastVisible=\($0)" } ?? "")
            let answer = try await client.get("/vistavid/videos?\(query)")
            found += try answer.json["videos"]?.entries?.compactMap { $0["videoId"]?.text } ?? []
            cursor = try answer.json["lastVisible"]?.text
        } while cursor != nil
        #expect(found == stride(from: 10, through: 0, by: -2).map { videos[$0] })
        try expectFailure(try await client.get("/vistavid/videos?limit=0"), 400, "invalid_limit")
        try expectFailure(try await client.get("/vistavid/videos?lastVisible=x"), 400, "invalid_cursor")
        #expect(try await client.get("/vistavid/videos?unknown=1&limit=1").status == 200)
    }

    @Test(arguments: [
        [("algorithmTags[]", "AI"), ("algorithmTags[]", "Fitness")], [("algorithmTags[]", #"["AI","Fitness"]"#)],
        [("algorithmTags", "AI"), ("algorithmTags[]", "Fitness")],
        [("algorithmTags", "AI"), ("algorithmTags", "Fitness")],
    ])
    func `tags are read from a field with or without brackets`(parts: [(String, String)]) async throws {
        let person = try await server.person()
        let client = server.client(person)
        var form = FormText()
        form.add("videoFile", file: SampleFile.mp4(), named: "clip.mp4")
        form.add("description", "tagged")
        for (name, text) in parts { form.add(name, text) }
        let answer = try await client.upload(form, to: "/vistavid/video/upload")
        let id = try #require(try answer.json["videoId"]?.text, "\(answer)")
        let video = try await client.get("/vistavid/video/\(id)").json
        #expect(video["algorithmTags"] == .array([.string("AI"), .string("Fitness")]))
    }

    @Test func `an empty parent of a comment is none`() async throws {
        let client = server.client(try await server.person())
        let path = "/vistavid/video/\(try await client.publish())/comment"
        #expect(try await client.post(path, #"{"content":"well","parentCommentId":""}"#).status == 201)
        let wrong = try await client.post(path, #"{"content":"well","parentCommentId":"x"}"#)
        try expectFailure(wrong, 422, "invalid_value")
    }

    @Test func `likes, comments and shares are answered as the product API specifies`() async throws {
        let ((author, owner), (id, client)) = (try await member("leo"), try await member("lea"))
        let video = try await video(owner, "a video", tags: [])
        for _ in 0..<2 {
            let like = try await client.post("/vistavid/video/\(video)/like", #"{"userId":"\#(id)"}"#)
            #expect(
                try like.json
                    == .object([
                        .init(name: "success", value: .bool(true)), .init(name: "likesCount", value: .integer(1)),
                    ]))
        }
        let foreign = try await client.post("/vistavid/video/\(video)/like", #"{"userId":"\#(author)"}"#)
        try expectFailure(foreign, 403, "forbidden")
        let comment = try await client.post(
            "/vistavid/video/\(video)/comment", #"{"userId":"\#(id)","content":"well done"}"#)
        #expect(try comment.status == 201 && comment.json.names == ["success", "commentId"])
        let parent = try #require(try comment.json["commentId"]?.text)
        let reply = try await owner.post(
            "/vistavid/video/\(video)/comment",
            #"{"userId":"\#(author)","content":"thank you","parentCommentId":"\#(parent)"}"#)
        #expect(reply.status == 201)
        let comments = try #require(try await client.get("/vistavid/video/\(video)/comments").json["comments"]?.entries)
        #expect(
            comments.map(\.names)
                == Array(repeating: ["commentId", "userId", "content", "createdAt", "parentCommentId"], count: 2))
        #expect(comments.map { $0["parentCommentId"] } == [.string(parent), .null])
        let share = try await client.post(
            "/vistavid/video/\(video)/share", #"{"userId":"\#(id)","platform":"Messages"}"#)
        #expect(try share.json["sharesCount"] == .integer(1))
        let unliked = try await client.delete("/vistavid/video/\(video)/like")
        #expect(try unliked.json["likesCount"] == .integer(0))
        let shown = try await client.get("/vistavid/video/\(video)")
        #expect(try shown.json["commentsCount"] == .integer(2) && shown.json["sharesCount"] == .integer(1))
        try expectFailure(try await client.post("/vistavid/video/1/like", "{}"), 404, "post_not_found")
    }

    @Test func `following, communities and settings are as the product API specifies`() async throws {
        let ((ann, annClient), (ben, benClient)) = (try await member("fay"), try await member("fin"))
        let follow = try await annClient.post("/vistavid/user/\(ben)/follow", #"{"followerId":"\#(ann)"}"#)
        #expect(try follow.json == .object([.init(name: "success", value: .bool(true))]))
        try expectFailure(
            try await annClient.post("/vistavid/user/\(ben)/follow", #"{"followerId":"\#(ben)"}"#), 403, "forbidden")
        #expect(
            try await annClient.post("/vistavid/user/\(ben)/unfollow", #"{"followerId":"\#(ann)"}"#).json["success"]
                == .bool(true))

        let made = try await annClient.post(
            "/vistavid/communities", #"{"name":"Fay's gym","description":"weights","creatorId":"\#(ann)"}"#)
        #expect(try made.status == 201 && made.json.names == ["success", "communityId"])
        let community = try #require(try made.json["communityId"]?.text)
        try expectFailure(
            try await benClient.post(
                "/vistavid/communities", #"{"name":"FAY'S GYM","description":"","creatorId":"\#(ben)"}"#),
            409, "community_name_taken")
        let join = try await benClient.post("/vistavid/communities/\(community)/join", #"{"userId":"\#(ben)"}"#)
        #expect(try join.json == .object([.init(name: "success", value: .bool(true))]))
        let shown = try await annClient.get("/vistavid/communities/\(community)").json
        #expect(
            shown.names == [
                "communityId", "name", "description", "createdAt", "members", "membersCount", "moderators",
            ])
        #expect(shown["members"] == .array([.string(ben), .string(ann)]) && shown["membersCount"] == .integer(2))
        #expect(shown["moderators"] == .array([.string(ann)]))
        let listed = try await annClient.get("/vistavid/communities").json["communities"]?.entries
        #expect(listed?.contains(shown) == true)
        let feed = try await annClient.get("/vistavid/communities/\(community)/feed").json
        #expect(feed.names == ["videos", "lastVisible"])
        #expect(
            try await benClient.post("/vistavid/communities/\(community)/leave", #"{"userId":"\#(ben)"}"#).json[
                "success"]
                == .bool(true))

        let settings = try await annClient.put(
            "/vistavid/user/\(ann)/settings", #"{"isBusiness":true,"selectedAlgorithms":["AI","Business","Fitness"]}"#)
        #expect(try settings.json == .object([.init(name: "success", value: .bool(true))]))
        let user = try await annClient.get("/vistavid/user/\(ann)").json
        #expect(user["isBusiness"] == .bool(true))
        #expect(user["selectedAlgorithms"] == .array([.string("AI"), .string("Business"), .string("Fitness")]))
        try expectFailure(
            try await benClient.put("/vistavid/user/\(ann)/settings", #"{"isBusiness":false}"#), 403, "forbidden")
    }

    @Test func `business trends are for business accounts`() async throws {
        let ((_, plain), (ben, business)) = (try await member("tia"), try await member("tom"))
        try expectFailure(
            try await plain.get("/vistavid/videos?algorithmFilter=Business%20Trends"), 403, "not_business")
        _ = try await business.put("/vistavid/user/\(ben)/settings", #"{"isBusiness":true}"#)
        let ranked = try await business.get("/vistavid/videos?algorithmFilter=Business%20Trends,AI")
        #expect(try ranked.status == 200 && ranked.json.names == ["videos", "lastVisible"])
    }

    @Test func `an upload that is wrong leaves nothing`() async throws {
        let (_, client) = try await member("ugo")
        var form = FormText()
        form.add("description", "d")
        try expectFailure(try await client.upload(form, to: "/vistavid/video/upload"), 400, "missing_field")
        form.add("videoFile", file: Array("no video".utf8), named: "../../x.mp4")
        try expectFailure(try await client.upload(form, to: "/vistavid/video/upload"), 422, "unsupported_media")
        var wordless = FormText()
        wordless.add("videoFile", file: SampleFile.mp4())
        try expectFailure(try await client.upload(wordless, to: "/vistavid/video/upload"), 400, "missing_field")
        try expectFailure(try await client.post("/vistavid/video/upload", "{}"), 415, "unsupported_media_type")
    }
}
