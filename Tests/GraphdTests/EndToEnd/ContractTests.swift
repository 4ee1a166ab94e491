import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Successful answers of every endpoint: status, fields, types, order.
@Suite(.timeLimit(.process), .graphdProcess)
struct ContractTests {
    let server: GraphdServer

    init() throws { server = try GraphdServer.shared }

    private static let accountFields = [
        "userId", "username", "displayName", "bio", "profilePicUrl", "followersCount", "followingCount", "postsCount",
        "createdAt", "updatedAt", "isBusiness", "isPrivate",
    ]
    private static let ownFields = [
        "email", "emailConfirmed", "selectedAlgorithms", "preferences", "homeTopics", "homeCommunities",
        "autoAcceptCollaborations",
    ]
    private static let sessionFields = ["userId", "token", "expiresAt", "refreshToken", "refreshExpiresAt"]
    private static let postFields = [
        "postId", "author", "viewer", "title", "caption", "mediaUrl", "thumbnailUrl", "category", "algorithmTags",
        "collaborators",
        "link", "visibility", "communityId", "attributes", "likesCount", "commentsCount", "sharesCount", "createdAt",
        "updatedAt",
    ]

    private func isTimestamp(_ value: JSONValue?) -> Bool {
        value?.text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z/) != nil
    }

    private func isID(_ value: JSONValue?) -> Bool { value?.text?.wholeMatch(of: /[1-9]\d{0,15}/) != nil }

    @Test func `signing up and logging in give a session that works`() async throws {
        let signup = try await server.client().post(
            "/v1/auth/signup", #"{"email":"Ada@example.org","password":"correct horse","username":"Ada.L"}"#)
        #expect(signup.status == 201)
        #expect(signup.header("Content-Type")?.hasPrefix("application/json") == true)
        let session = try signup.json
        #expect(session.names == Self.sessionFields)
        #expect(isID(session["userId"]) && isTimestamp(session["expiresAt"]))

        let login = try await server.client().post(
            "/v1/auth/login", #"{"email":"ADA@EXAMPLE.ORG","password":"correct horse"}"#)
        #expect(login.status == 200)
        #expect(try login.json.names == Self.sessionFields)
        #expect(try login.json["userId"] == session["userId"])
        for token in [session["token"]?.text, try login.json["token"]?.text] {
            let me = try await server.client(token: token).get("/v1/me")
            #expect(me.status == 200)
            #expect(try me.json.names.sorted() == (Self.accountFields + Self.ownFields).sorted())
            #expect(try me.json["username"] == .string("Ada.L"))
            #expect(try me.json["email"] == .string("Ada@example.org"))
        }
    }

    @Test func `a user is found by id and by name in any case and without email`() async throws {
        let (reader, user) = (try await server.person(), try await server.person("Mixed.Case"))
        let byID = try await server.client(reader).get(user.path)
        let byName = try await server.client(reader).get("/v1/users/by-username/\(user.username.lowercased())")
        #expect(byID.status == 200 && byName.status == 200)
        #expect(byID.body == byName.body)
        let account = try byID.json
        #expect(account.names.sorted() == Self.accountFields.sorted())
        #expect(account["userId"] == .string(String(user.id.rawValue)))
        #expect(account["username"] == .string(user.username))
        for count in ["followersCount", "followingCount", "postsCount"] { #expect(account[count] == .integer(0)) }
        #expect(isTimestamp(account["createdAt"]))
    }

    @Test func `a post has all its fields everywhere it is shown`() async throws {
        let (author, friend, stranger) = (
            try await server.person(), try await server.person(accepting: .following), try await server.person()
        )
        try await follow(friend, author)
        let created = try await server.client(author).post(
            "/v1/posts",
            """
            {"caption":"\\u00e9t\\u00e9 🏖\\n\\"x\\"","mediaUrl":"https://example.org/a.mp4","category":"travel",
             "algorithmTags":["beach","Beach","sun"],
             "collaborators":["\(friend.id.rawValue)","\(stranger.id.rawValue)"],
             "link":"http://example.org/shop"}
            """)
        #expect(created.status == 201)
        let post = try created.json
        #expect(post.names.sorted() == Self.postFields.sorted())
        #expect(isID(post["postId"]) && isTimestamp(post["createdAt"]))
        let id = try #require(post["postId"]?.text)
        #expect(created.header("Location") == "/v1/posts/\(id)")
        #expect(post["author"]?["userId"] == .string(String(author.id.rawValue)))
        #expect(post["author"]?["username"] == .string(author.username))
        #expect(post["caption"] == .string("été 🏖\n\"x\""))
        #expect(post["algorithmTags"] == .array([.string("beach"), .string("sun")]))
        #expect(post["category"] == .string("travel"))
        #expect(post["link"] == .string("http://example.org/shop"))
        let collaborators = try #require(post["collaborators"]?.entries)
        #expect(collaborators.map { $0["userId"]?.text } == [friend, stranger].map { String($0.id.rawValue) })
        #expect(collaborators.map { $0["status"]?.text } == ["accepted", "pending"])
        for count in ["likesCount", "commentsCount", "sharesCount"] { #expect(post[count] == .integer(0)) }

        let reader = server.client(friend)
        let read = try await reader.get("/v1/posts/\(id)").json
        #expect(read.names == post.names)
        for name in post.names where name != "viewer" { #expect(read[name] == post[name]) }
        // Pages are the same for all readers: they omit the pending invitation.
        let page = try await reader.get("/v1/timelines/home").json["items"]
        let shown = try #require(page?.entries?.first)
        #expect(shown["collaborators"] == .array([collaborators[0]]) && page?.entries?.count == 1)
        #expect(shown.names == post.names)
        for name in post.names where name != "collaborators" { #expect(shown[name] == read[name]) }
        for user in [author, friend] {
            let path = "/v1/timelines/users/\(user.id.rawValue)"
            #expect(try await reader.get(path).json["items"] == .array([shown]))
            #expect(try await reader.get(user.path).json["postsCount"] == .integer(1))
        }
        #expect(try await reader.page("/v1/timelines/users/\(stranger.id.rawValue)") == [])
    }

    @Test func `what is not given is null or empty`() async throws {
        let author = server.client(try await server.person())
        let post = try await author.get("/v1/posts/\(try await author.publish())").json
        #expect(post["category"] == .null && post["link"] == .null && post["communityId"] == .null)
        #expect(post["algorithmTags"] == .array([]) && post["collaborators"] == .array([]))
    }

    @Test func `following is idempotent and counts are right`() async throws {
        let (follower, followee) = (try await server.person(), try await server.person())
        let client = server.client(follower)
        for _ in 1...3 {
            let answer = try await client.put("\(followee.path)/follow")
            #expect(answer.status == 204 && answer.body.isEmpty)
        }
        try await follow(followee, follower)
        for (list, path) in [("followers", followee.path), ("following", followee.path), ("mutuals", followee.path)] {
            let page = try await client.get("\(path)/\(list)").json
            #expect(page.names == ["items", "nextCursor"])
            #expect(page["nextCursor"] == .null)
            #expect(page["items"]?.entries?.map { $0["username"]?.text } == [follower.username])
            #expect(page["items"]?.entries?.first?.names == ["userId", "username", "displayName", "profilePicUrl"])
        }
        #expect(try await client.get(followee.path).json["followersCount"] == .integer(1))
        #expect(try await client.get("/v1/me").json["followingCount"] == .integer(1))
        for _ in 1...3 { #expect(try await client.delete("\(followee.path)/follow").status == 204) }
        #expect(try await client.get(followee.path).json["followersCount"] == .integer(0))
        #expect(try await client.get("/v1/me").json["followingCount"] == .integer(0))
        #expect(try await client.walk("\(followee.path)/followers").isEmpty)
    }

    @Test func `deleting a post ends it once and for its author only`() async throws {
        let (author, other) = (try await server.person(), try await server.person())
        let id = try await server.client(author).publish()
        let refused = try await server.client(other).delete("/v1/posts/\(id)")
        #expect(refused.status == 403)
        #expect(try refused.json["code"] == .string("not_author"))
        #expect(try await server.client(author).delete("/v1/posts/\(id)").status == 204)
        for answer in [
            try await server.client(author).delete("/v1/posts/\(id)"),
            try await server.client(other).get("/v1/posts/\(id)"),
        ] {
            #expect(answer.status == 404)
            #expect(try answer.json["code"] == .string("post_not_found"))
        }
        #expect(try await server.client(other).get(author.path).json["postsCount"] == .integer(0))
    }

    @Test(arguments: [1, 7, 20, 100])
    func `pages end exactly at the true end`(limit: Int) async throws {
        let (author, reader) = (try await server.person(), try await server.person())
        try await follow(reader, author)
        var published: [String] = []
        // An extra page would show when the posts fill a whole number of pages.
        for _ in 0..<(limit == 1 ? 3 : limit * 2) { published.append(try await server.client(author).publish()) }
        let newestFirst = Array(published.reversed())
        let client = server.client(reader)
        for path in ["/v1/timelines/home", "/v1/timelines/users/\(author.id.rawValue)"] {
            #expect(try await client.ids(path, limit: limit) == newestFirst)
            #expect(try await client.page(path) == Array(newestFirst.prefix(20)))
        }
        try await server.waitForJobs()
        #expect(try await client.ids("/v1/timelines/home", limit: limit) == newestFirst)
    }

    @Test func `a list of followers is paged newest first`() async throws {
        let followee = try await server.person()
        var names: [String] = []
        for _ in 0..<6 {
            let follower = try await server.person()
            try await follow(follower, followee)
            names.append(follower.username)
        }
        let items = try await server.client(followee).walk("\(followee.path)/followers", limit: 3)
        #expect(items.map { $0["username"]?.text } == names.reversed())
    }

    private func follow(_ follower: Person, _ followee: Person) async throws {
        #expect(try await server.client(follower).put("\(followee.path)/follow").status == 204)
    }
}
