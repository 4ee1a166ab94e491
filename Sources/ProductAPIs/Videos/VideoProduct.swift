import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph

/// A product whose users find, watch and keep videos, which are posts with certain attributes: what it calls things,
/// and how its documents look. What happens is the same for all of them: ``VideoRoutes``.
protocol VideoProduct: Sendable {
    /// Under which its contract is mounted.
    static var base: RouterPath { get }
    /// Attributes of which a video of the product carries one at least.
    static var attributes: [String] { get }
    /// What its requests call a video's id, and a user's.
    static var videoIDField: String { get }
    static var userIDField: String { get }
    /// What its users call themselves, and where their picture is.
    static var nameField: String { get }
    static var pictureField: String { get }
    /// What says how often a video is liked.
    static var likesField: String { get }
    /// What comments call their id and their time; their user is ``userIDField``.
    static var commentIDField: String { get }
    static var commentTimeField: String { get }
    /// The member of the user document that lists what the user has saved; nil where it has none.
    static var savedField: String? { get }
    /// Whether the user document lists what the user likes.
    static var showsLikedVideos: Bool { get }
    /// Other names of parameters that filter, and what they mean.
    static var parameterAliases: [String: String] { get }
    /// Whether its documents hold the segments of a video.
    static var showsSegments: Bool { get }

    static func writeMembers(of video: ProductVideo, to json: inout JSONWriter)
    static func writeMembers(of user: ProductUser, to json: inout JSONWriter)
    /// What the list of saved videos shows of one, beside when it was saved.
    static func writeMembers(ofSaved video: ProductVideo, to json: inout JSONWriter)

    /// What a written user document says of preferences; nil takes one away.
    static func preferences(in body: inout StrictObject) throws -> [String: AttributeValue?]

    /// Endpoints of the product's own.
    static func add(_ routes: VideoRoutes<Self>, to group: RouterGroup<GraphRequestContext>)
}

extension VideoProduct {
    static var parameterAliases: [String: String] { [:] }
    static var showsSegments: Bool { false }
    static var showsLikedVideos: Bool { false }

    package static func write(_ video: ProductVideo, to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(of: video, to: &json)
        json.endObject()
    }

    static func writeMembers(ofSaved video: ProductVideo, to json: inout JSONWriter) {
        writeMembers(of: video, to: &json)
    }

    package static func write(saved video: ProductVideo, at milliseconds: Int64, to json: inout JSONWriter) {
        json.beginObject()
        writeMembers(ofSaved: video, to: &json)
        json.member("savedAt", time: milliseconds)
        json.endObject()
    }

    /// A deleted comment tells neither what it said nor whose it was.
    package static func write(_ comment: PostComment, to json: inout JSONWriter) {
        json.beginObject()
        json.member(escaping: commentIDField, id: comment.id.rawValue)
        json.member(escaping: userIDField, id: comment.isDeleted ? nil : comment.author.rawValue)
        json.member("text", comment.isDeleted ? nil : comment.content)
        json.member(escaping: commentTimeField, time: comment.createdAt)
        json.endObject()
    }

    static var errors: BriefErrors {
        BriefErrors { json, problem in
            json.member("error", problem.detail)
        }
    }

    static func includes(_ attributes: [String: AttributeValue]) -> Bool {
        self.attributes.contains { attributes[$0] != nil }
    }
}

/// A video with what a document of it may show.
package struct ProductVideo: Sendable {
    let post: Post
    let creatorName: String
    /// Ascending by their start; empty where the product does not show them.
    let segments: [NamedSegment]
    let publicURL: @Sendable (String) -> String

    func text(_ name: String) -> String? {
        if case .text(let text)? = post.attributes[name] { text } else { nil }
    }

    func number(_ name: String) -> Double? {
        if case .number(let number)? = post.attributes[name] { number } else { nil }
    }
}

/// A user with what a document of one may show. What is private is nil for others.
struct ProductUser: Sendable {
    struct Private: Sendable {
        let email: String?
        let preferences: [String: AttributeValue]
        /// The latest first, at most ``ProductServices/listedIDs`` of each; empty where the product does not show them.
        let saved: [PostID]
        let liked: [PostID]
    }

    let account: Account
    let own: Private?
    let publicURL: @Sendable (String) -> String

    var name: String { account.displayName.isEmpty ? account.username : account.displayName }
    var pictureURL: String? { account.pictureURL.map(publicURL) }

    func text(_ name: String) -> String? {
        if case .text(let text)? = own?.preferences[name] { text } else { nil }
    }
}

extension JSONWriter {
    /// A member that lists ids, or null.
    mutating func member<Entity>(_ name: StaticString, ids: [ID<Entity>]?) {
        key(name)
        if let ids { array(ids) { $0.id($1.rawValue) } } else { null() }
    }
}
