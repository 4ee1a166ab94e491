import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph

/// A product whose users find, watch and save videos, which are posts with certain attributes. It defines names and the
/// format of documents. The behaviour is common to all: ``VideoRoutes``.
protocol VideoProduct: Sendable {
    /// The base path of its API.
    static var base: RouterPath { get }
    /// Attributes of a video of the product; each video has at least one of them.
    static var attributes: [String] { get }
    /// The names of a video's id, and of a user's, in its requests.
    static var videoIDField: String { get }
    static var userIDField: String { get }
    /// The members of a user's name, and of the user's picture.
    static var nameField: String { get }
    static var pictureField: String { get }
    /// The member with the number of likes of a video.
    static var likesField: String { get }
    /// The members of a comment's id and time; its user is ``userIDField``.
    static var commentIDField: String { get }
    static var commentTimeField: String { get }
    /// The member of the user document that lists the user's saved videos; nil if there is none.
    static var savedField: String? { get }
    /// True if the user document lists the user's liked videos.
    static var showsLikedVideos: Bool { get }
    /// Aliases of parameters that filter, and their meanings.
    static var parameterAliases: [String: String] { get }
    /// True if its documents include the segments of a video.
    static var showsSegments: Bool { get }

    static func writeMembers(of video: ProductVideo, to json: inout JSONWriter)
    static func writeMembers(of user: ProductUser, to json: inout JSONWriter)
    /// Writes the members of a saved video in the list of saved videos, beside the time of the save.
    static func writeMembers(ofSaved video: ProductVideo, to json: inout JSONWriter)

    /// Reads the preferences in a user document of a request; nil removes one.
    static func preferences(in body: inout StrictObject) throws -> [String: AttributeValue?]

    /// Adds endpoints of the product's own.
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

    /// Writes a comment. A deleted one reveals neither its text nor its author.
    package static func write(_ comment: PostComment, to json: inout JSONWriter) {
        json.beginObject()
        json.member(escaping: commentIDField, id: comment.id.rawValue)
        json.member(escaping: userIDField, id: comment.isDeleted ? nil : comment.author.rawValue)
        json.member("text", comment.isDeleted ? nil : comment.content)
        json.member(escaping: commentTimeField, time: comment.createdAt)
        json.endObject()
    }

    static var errors: ProductErrors {
        ProductErrors { json, problem in
            json.member("error", problem.detail)
        }
    }

    static func includes(_ attributes: [String: AttributeValue]) -> Bool {
        self.attributes.contains { attributes[$0] != nil }
    }
}

/// A video with the data for its document.
package struct ProductVideo: Sendable {
    let post: Post
    let creatorName: String
    /// Ascending by start; empty if the product does not show them.
    let segments: [NamedSegment]
    let urls: PublicURL

    /// Returns the URL of a file that the video shows.
    func url(_ stored: String) -> String { urls.file(stored, of: post) }

    func text(_ name: String) -> String? {
        if case .text(let text)? = post.attributes[name] { text } else { nil }
    }

    func number(_ name: String) -> Double? {
        if case .number(let number)? = post.attributes[name] { number } else { nil }
    }
}

/// A user with the data for the user document. Private data is nil for others.
struct ProductUser: Sendable {
    struct Private: Sendable {
        let email: String?
        let preferences: [String: AttributeValue]
        /// The latest first, at most ``ProductServices/listedIDs`` of each; empty if the product does not show them.
        let saved: [PostID]
        let liked: [PostID]
    }

    let account: Account
    let own: Private?
    let urls: PublicURL

    var name: String { account.displayName.isEmpty ? account.username : account.displayName }
    var pictureURL: String? { account.pictureURL.map(urls.shared) }

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
