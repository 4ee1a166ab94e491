import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// The social app's contract, request by request as written in its product API. Only the base URL differs.
@Suite(.timeLimit(.process), .sharedGraphd)
struct SocialContractTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let postKeys = [
        "postId", "userId", "mediaUrl", "caption", "category", "link", "collaborators", "likesCount", "commentsCount",
        "sharesCount", "createdAt", "updatedAt",
    ]
    private static let userKeys = [
        "userId", "username", "email", "profilePicture", "bio", "followers", "followersCount", "following",
        "followingCount", "createdAt", "updatedAt",
    ]

    private func member(_ name: String) async throws -> (id: String, client: APIClient) {
        let body = #"{"email":"\#(name)@example.org","password":"correct horse","username":"\#(name)"}"#
        let signup = try await server.client().post("/social/user/signup", body)
        #expect(try signup.status == 201 && signup.json.names == ["success", "userId"], "\(signup)")
        let login = try await server.client().post("/social/auth/login", body)
        #expect(try login.json.names == ["success", "userId", "token"])
        return (try #require(try login.json["userId"]?.text), server.client(token: try login.json["token"]?.text))
    }

    private func expectFailure(_ answer: Answer, _ status: Int, _ code: String) throws {
        #expect(answer.status == status, "\(answer)")
        #expect(try answer.json.names == ["status", "message", "code"])
        #expect(try answer.json["status"] == .string("error") && answer.json["code"] == .string(code))
    }

    private let success = JSONValue.object([.init(name: "status", value: .string("success"))])

    @Test func `profiles are read and written, and follows counted`() async throws {
        let ((ann, annClient), (ben, benClient)) = (try await member("sal"), try await member("sam"))
        #expect(try await annClient.post("/social/user/\(ben)/follow", "{}").json == success)
        let seen = try await annClient.get("/social/user/\(ben)").json
        #expect(seen.names == Self.userKeys)
        #expect(seen["followers"] == .array([.string(ann)]) && seen["followersCount"] == .integer(1))
        #expect(seen["email"] == .null && seen["profilePicture"] == .null && seen["bio"] == .string(""))
        let updated = try await benClient.put(
            "/social/user/\(ben)/update",
            #"{"username":"sam.new","bio":"hello","profilePicture":"https://example.org/me.jpg"}"#)
        #expect(try updated.status == 200 && updated.json["status"] == .string("success"), "\(updated)")
        let own = try await benClient.get("/social/user/\(ben)").json
        #expect(own["username"] == .string("sam.new") && own["bio"] == .string("hello"))
        #expect(own["profilePicture"] == .string("https://example.org/me.jpg"))
        #expect(own["email"] == .string("sam@example.org"))
        try expectFailure(try await annClient.put("/social/user/\(ben)/update", #"{"bio":"x"}"#), 403, "forbidden")
        try expectFailure(
            try await benClient.put("/social/user/\(ben)/update", #"{"username":"sal"}"#), 409, "username_taken")
        #expect(try await annClient.delete("/social/user/\(ben)/unfollow").json == success)
        #expect(try await annClient.get("/social/user/\(ben)").json["followersCount"] == .integer(0))
    }

    @Test(arguments: ["user", "auth"])
    func `a sign-up stores the bio and the picture, and reads an empty text as none`(group: String) async throws {
        func signUp(_ name: String, _ more: String) async throws -> Answer {
            try await server.client().post(
                "/social/\(group)/signup",
                #"{"email":"\#(name)@example.org","password":"correct horse","username":"\#(name)"\#(more)}"#)
        }
        let (_, reader) = try await member("reader.\(group)")
        let url = "https://example.org/me.jpg"
        let signup = try await signUp("bio.\(group)", #","bio":"Runs.","profilePicture":"\#(url)""#)
        #expect(try signup.status == 201 && signup.json.names == ["success", "userId"], "\(signup)")
        let id = try #require(try signup.json["userId"]?.text)
        let user = try await reader.get("/social/user/\(id)").json
        #expect(user["bio"] == .string("Runs.") && user["profilePicture"] == .string(url))
        let bare = try await signUp("bare.\(group)", #","bio":"","profilePicture":"""#)
        let other = try await reader.get("/social/user/\(try #require(try bare.json["userId"]?.text))").json
        #expect(other["bio"] == .string("") && other["profilePicture"] == .null)
        try expectFailure(try await signUp("bad.\(group)", #","profilePicture":"me.jpg""#), 422, "invalid_url")
        try expectFailure(
            try await signUp("far.\(group)", #","bio":"\#(String(repeating: "b", count: 501))""#), 422, "too_long")
        // The file of somebody else, since a newcomer has none.
        var form = FormText()
        form.add("file", file: SampleFile.png(), named: "a.png")
        let file = try #require(try await reader.upload(form, to: "/social/media").json["mediaUrl"]?.text)
        try expectFailure(try await signUp("own.\(group)", #","profilePicture":"\#(file)""#), 422, "invalid_url")
    }

    @Test func `an empty parent is none, and a parent that is no id is refused`() async throws {
        let (_, client) = try await member("lia")
        let path = "/social/post/\(try await client.publish())/comment"
        #expect(try await client.post(path, #"{"text":"well","parentCommentId":""}"#).status == 201)
        try expectFailure(try await client.post(path, #"{"text":"well","parentCommentId":"x"}"#), 422, "invalid_value")
    }

    @Test func `the product API's own example of a post is read and answered`() async throws {
        let ((ann, annClient), (ben, benClient)) = (try await member("pam"), try await member("paul"))
        _ = try await benClient.post("/social/user/\(ann)/follow", "{}")
        let created = try await annClient.post(
            "/social/post/create",
            """
            {"userId":"\(ann)","mediaUrl":"https://example.com/media.mp4","caption":"Check this out!",
             "category":"Technology","link":"https://example.com/article","collaborators":["\(ben)"]}
            """)
        #expect(created.status == 201)
        #expect(try created.json.names == ["postId", "status"] && created.json["status"] == .string("success"))
        let id = try #require(try created.json["postId"]?.text)
        let post = try await benClient.get("/social/post/\(id)").json
        #expect(post.names == Self.postKeys)
        // The invited user sees the invitation. Others see the collaborator once it has been accepted through `/v1`.
        let other = server.client(try await server.person())
        #expect(try await other.get("/social/post/\(id)").json["collaborators"] == .array([]))
        try await benClient.act("POST", "/v1/posts/\(id)/collaboration/accept")
        #expect(try await other.get("/social/post/\(id)").json["collaborators"] == .array([.string(ben)]))
        #expect(post["collaborators"] == .array([.string(ben)]) && post["category"] == .string("Technology"))
        #expect(post["createdAt"] == post["updatedAt"])
        try expectFailure(
            try await benClient.post(
                "/social/post/create", #"{"userId":"\#(ann)","mediaUrl":"https://example.com/a","caption":"c"}"#),
            403, "forbidden")

        for path in ["/social/timeline/\(ben)", "/social/timeline/\(ben)/category/technology"] {
            let page = try await benClient.get(path).json
            #expect(page.names == ["posts", "nextCursor"] && page["posts"] == .array([post]), "\(path)")
        }
        #expect(try await benClient.get("/social/timeline/\(ben)/category/Art").json["posts"] == .array([]))
        try expectFailure(try await annClient.get("/social/timeline/\(ben)"), 403, "forbidden")
        try expectFailure(try await benClient.delete("/social/post/\(id)"), 403, "not_author")
        #expect(try await annClient.delete("/social/post/\(id)").json == success)
        try expectFailure(try await annClient.get("/social/post/\(id)"), 404, "post_not_found")
    }

    @Test func `likes, comments and shares are counted, and told of`() async throws {
        let ((ann, annClient), (ben, benClient)) = (try await member("nia"), try await member("nils"))
        let id = try await annClient.publish()
        let like = try await benClient.post("/social/post/\(id)/like", #"{"userId":"\#(ben)"}"#).json
        #expect(like.names == ["likeId", "postId", "userId", "createdAt", "likesCount"])
        let comment = try await benClient.post("/social/post/\(id)/comment", #"{"text":"well done @nia"}"#)
        #expect(
            try comment.status == 201 && comment.json.names == ["commentId", "postId", "userId", "text", "createdAt"])
        let elsewhere = try await benClient.post("/social/post/\(id)/share", #"{"platform":"twitter"}"#).json
        #expect(elsewhere.names == ["shareId", "postId", "userId", "createdAt", "platform"])
        let here = try await benClient.post("/social/post/\(id)/share", #"{"platform":"internal"}"#).json
        #expect(here["platform"] == .string("internal"))
        _ = try await benClient.post("/social/user/\(ann)/follow", "{}")
        let post = try await benClient.get("/social/post/\(id)").json
        #expect(
            [post["likesCount"], post["commentsCount"], post["sharesCount"]] == [.integer(1), .integer(1), .integer(2)])
        let comments = try await annClient.get("/social/post/\(id)/comments").json
        #expect(try comments["comments"] == .array([comment.json]))

        let told = try await annClient.get("/social/notifications/\(ann)").json
        let rows = try #require(told["notifications"]?.entries)
        #expect(told.names == ["notifications", "nextCursor"])
        #expect(
            rows.compactMap { $0["type"]?.text } == ["follow", "share", "share", "mention", "comment", "like"])
        for row in rows {
            #expect(
                row.names == [
                    "notificationId", "userId", "type", "fromUserId", "postId", "message", "isRead", "createdAt",
                ])
            #expect(row["userId"] == .string(ann) && row["fromUserId"] == .string(ben) && row["isRead"] == .bool(false))
        }
        #expect(rows[0]["postId"] == .null && rows[5]["message"] == .string("nils liked your post"))
        let first = try #require(rows[5]["notificationId"]?.text)
        #expect(try await annClient.put("/social/notifications/\(first)/mark-as-read").json == success)
        let after = try await annClient.get("/social/notifications/\(ann)").json["notifications"]?.entries
        #expect(after?.map { $0["isRead"] == .bool(true) } == [false, false, false, false, false, true])
        try expectFailure(
            try await benClient.put("/social/notifications/\(first)/mark-as-read"), 404, "notification_not_found")
        try expectFailure(try await benClient.get("/social/notifications/\(ann)"), 403, "forbidden")
        let unlike = try await benClient.delete("/social/post/\(id)/like").json
        #expect(unlike["likesCount"] == .integer(0))
    }

    @Test func `media is uploaded and posted by its owner alone`() async throws {
        let ((ann, annClient), (_, benClient)) = (try await member("mia"), try await member("max"))
        var form = FormText()
        form.add("file", file: SampleFile.png(), named: "a.png")
        let upload = try await annClient.upload(form, to: "/social/media")
        #expect(try upload.status == 201 && upload.json.names == ["mediaUrl", "thumbnailUrl", "status"], "\(upload)")
        let url = try #require(try upload.json["mediaUrl"]?.text)
        let body = #"{"userId":"\#(ann)","mediaUrl":"\#(url)","caption":"mine"}"#
        let id = try #require(try await annClient.post("/social/post/create", body).json["postId"]?.text)
        #expect(try await benClient.get("/social/post/\(id)").json["mediaUrl"] == .string(url))
        let stolen = #"{"mediaUrl":"\#(url)","caption":"not mine"}"#
        try expectFailure(try await benClient.post("/social/post/create", stolen), 422, "invalid_url")
    }
}
