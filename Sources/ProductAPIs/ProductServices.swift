import Database
import Discovery
import GraphHTTP
import GraphServices
import MediaFiles
import SocialGraph
import Timeline

/// The services of `/v1` that the product APIs use.
package struct ProductServices: Sendable {
    let graph: GraphStore
    let timelines: Timelines
    let accounts: AccountService
    let posting: PostingService
    let uploads: MediaUpload
    let trends: BusinessTrends
    let search: PostSearch
    let segments: VideoSegments
    let recommendations: Recommendations
    let urls: PublicURL

    package init(
        graph: GraphStore, timelines: Timelines, accounts: AccountService, posting: PostingService,
        uploads: MediaUpload,
        trends: BusinessTrends, search: PostSearch, segments: VideoSegments, recommendations: Recommendations,
        urls: PublicURL
    ) {
        self.graph = graph
        self.timelines = timelines
        self.accounts = accounts
        self.posting = posting
        self.uploads = uploads
        self.trends = trends
        self.search = search
        self.segments = segments
        self.recommendations = recommendations
        self.urls = urls
    }

    var media: MediaReferences { MediaReferences(graph: graph, urls: urls) }
    var visibility: PostVisibilityCheck { PostVisibilityCheck(timelines: timelines) }

    /// Largest number of ids in a list of the product APIs; the exact count is a separate member.
    static let listedIDs = 1_000

    /// Returns the full posts of a page, in its order. Posts deleted since the page was read are left out.
    func posts(_ items: [TimelineItem]) async throws -> [Post] { try await graph.posts.posts(items.map(\.post.id)) }

    /// Returns a post that `viewer` may see. Throws ``GraphError/postNotFound``.
    func post(_ id: PostID, for viewer: UserID) async throws -> Post {
        try await visibility.require(id, for: viewer)
        guard let post = try await graph.posts.posts([id]).first else { throw GraphError.postNotFound }
        return post
    }

    /// Returns a post that has not been deleted, even if it is hidden from everybody. Throws
    /// ``GraphError/postNotFound``.
    func storedPost(_ id: PostID) async throws -> Post {
        let found = try await graph.database.read { reader in
            try PostStore.Reader(reader).posts([id], PostStore.Reader.storedPosts)
        }
        guard let post = found.first else { throw GraphError.postNotFound }
        return post
    }

    /// Returns the followers of a user, or the users followed, as `viewer` sees them; the latest first.
    func connections(of user: UserID, _ direction: FollowDirection, for viewer: UserID) async throws -> [UserID] {
        try await graph.follows.followList(of: user, direction, for: viewer, below: nil, limit: Self.listedIDs).items
            .map(\.user)
    }
}
