import ServiceTestSupport
import Testing

@testable import StrictJSON

/// The common part of the video products' contracts, with the field names of each.
struct ProductUnderTest: Sendable, CustomTestStringConvertible {
    let base: String
    let videoID: String
    /// The field names in user documents and in requests that name a user.
    let userID: String
    let userIDField: String
    let name: String
    let likes: String
    let commentID: String
    /// The post attributes that make a post a video of the product.
    let attributes: String
    let videoKeys: [String]
    let userKeys: [String]
    let commentKeys: [String]
    let jump: (path: String, command: String)
    let recommendations: (path: String, user: String)

    var testDescription: String { base }

    static let all = [fitStream, reelAI, fitFocus]

    static let fitStream = ProductUnderTest(
        base: "/fitstream", videoID: "video_id", userID: "user_id", userIDField: "user_id", name: "name",
        likes: "likeCount", commentID: "comment_id", attributes: #""workoutType":"HIIT""#,
        videoKeys: [
            "video_id", "title", "description", "videoUrl", "thumbnailUrl", "workoutType", "difficulty", "duration",
            "uploadTime", "muscleGroup",
        ],
        userKeys: ["user_id", "name", "profileImageUrl", "savedVideos", "likedVideos", "workoutPreferences"],
        commentKeys: ["comment_id", "user_id", "text", "timestamp"],
        jump: ("/ai/workoutJump", "command"), recommendations: ("/ai/recommendations", "user_id"))

    static let reelAI = ProductUnderTest(
        base: "/reelai", videoID: "videoId", userID: "uid", userIDField: "userId", name: "displayName",
        likes: "likeCount", commentID: "commentId", attributes: #""cuisineType":"Italian""#,
        videoKeys: [
            "videoId", "title", "description", "videoUrl", "thumbnailUrl", "creatorName", "cuisineType", "cookingTime",
            "likeCount", "createdAt", "aiSegments",
        ],
        userKeys: ["uid", "displayName", "email", "profilePictureUrl", "skillLevel", "favorites"],
        commentKeys: ["commentId", "userId", "text", "createdAt"],
        jump: ("/smartScan", "query"), recommendations: ("/getPersonalizedFeed", "uid"))

    static let fitFocus = ProductUnderTest(
        base: "/fitfocus", videoID: "videoId", userID: "userId", userIDField: "userId", name: "displayName",
        likes: "likesCount", commentID: "commentId", attributes: #""difficultyLevel":"beginner""#,
        videoKeys: [
            "videoId", "title", "thumbnailUrl", "videoUrl", "category", "difficultyLevel", "likesCount",
            "commentsCount", "createdAt",
        ],
        userKeys: ["userId", "displayName", "email", "profilePicUrl", "createdAt", "preferences"],
        commentKeys: ["commentId", "userId", "text", "timestamp"],
        jump: ("/smartScan/searchSegment", "userQuery"), recommendations: ("/recommendations", "userId"))

    /// Publishes a video of the product as `client`. `more` and `post` add members to the attributes and to the post.
    func video(_ client: APIClient, _ more: String = "", post: String = "") async throws -> String {
        let members = #""attributes":{\#(attributes)\#(more)}\#(post)"#
        return try #require(try await client.publish(with: members)["postId"]?.text)
    }

    /// Signs up according to the contract.
    func member(_ server: GraphdServer, _ name: String) async throws -> ProductMember {
        let address = "\(name).\(base.dropFirst())@example.org"
        let body = #"{"email":"\#(address)","password":"correct horse","\#(self.name)":"\#(name)","device":"x"}"#
        let answer = try await server.client().post("\(base)/auth/signup", body)
        #expect(answer.status == 201, "\(answer)")
        #expect(try answer.json.names == userKeys + ["token"])
        return ProductMember(
            id: try #require(try answer.json[userID]?.text), email: address,
            client: server.client(token: try answer.json["token"]?.text), product: self)
    }

    func ids(_ answer: Answer) throws -> [String] {
        guard answer.status == 200, let entries = try answer.json.entries else { throw UnexpectedAnswer(answer) }
        return entries.compactMap { $0[videoID]?.text }
    }

    func expectFailure(
        _ answer: Answer, _ status: Int, _ code: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == status, "\(answer)", sourceLocation: sourceLocation)
        #expect(try answer.json["code"] == .string(code), "\(answer)", sourceLocation: sourceLocation)
        #expect(try answer.json["error"]?.text?.isEmpty == false, sourceLocation: sourceLocation)
    }
}

struct ProductMember: Sendable {
    let id: String
    let email: String
    let client: APIClient
    let product: ProductUnderTest

    var path: String { "\(product.base)/users/\(id)" }
    func get(_ path: String) async throws -> Answer { try await client.get(product.base + path) }
    func post(_ path: String, _ body: String) async throws -> Answer {
        try await client.post(product.base + path, body)
    }
}
