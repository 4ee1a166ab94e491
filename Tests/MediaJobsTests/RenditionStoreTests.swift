import Database
import SocialGraph
import TestSupport
import Testing

@testable import MediaJobs

/// Renditions of files, on whichever engine the tests run.
@Suite(.timeLimit(.unit))
struct RenditionStoreTests {
    private func file(_ graph: GraphStore, by owner: UserID) async throws -> MediaID {
        let id = try await graph.media.reserveMediaIDs(1)[0]
        let file = NewMedia(id: id, contentType: "video/mp4", fileName: "\(id.rawValue).mp4", bytes: 9, sha256: [1])
        return try await graph.media.storeMedia([file], by: owner)[0].id
    }

    private func rendition(_ name: String, width: Int64? = 1_280) -> Rendition {
        Rendition(
            name: name, url: "https://cdn.example/\(name)?a=\"b\"", contentType: "video/mp4", width: width,
            height: width.map { $0 * 9 / 16 }, bitrate: nil)
    }

    @Test
    func `renditions are added, replaced and removed, each by its name`() async throws {
        try await withGraph { fixture in
            let (store, ann) = (fixture.graph.renditions, try await fixture.user("ann"))
            let media = try await file(fixture.graph, by: ann)
            let (large, hls) = (rendition("720p"), rendition("hls", width: nil))
            #expect(try await store.put(large, of: media) == [large])
            #expect(try await store.put(hls, of: media) == [large, hls])
            let other = rendition("720p", width: 1_278)
            #expect(try await store.put(other, of: media) == [other, hls])
            try await store.remove("480p", of: media)
            #expect(try await store.put(hls, of: media) == [other, hls])
            try await store.remove("720p", of: media)
            try await store.remove("hls", of: media)
            let text = try await fixture.graph.database.read { reader in
                try reader.first("SELECT renditions FROM media", []) { $0.optionalText(0) }
            }
            #expect(text == .some(nil), "a file without renditions has no list")
        }
    }

    @Test
    func `a file has at most sixteen, and a missing one has none`() async throws {
        try await withGraph { fixture in
            let (store, ann) = (fixture.graph.renditions, try await fixture.user("ann"))
            let media = try await file(fixture.graph, by: ann)
            for number in 1...Rendition.limit { _ = try await store.put(rendition("r\(number)"), of: media) }
            await #expect(throws: GraphError.limitReached("16 renditions of a file")) {
                try await store.put(rendition("more"), of: media)
            }
            #expect(try await store.put(rendition("r7", width: 2), of: media).count == Rendition.limit)
            #expect(try await fixture.graph.media.deleteMedia(media))
            await #expect(throws: GraphError.mediaNotFound) { try await store.put(rendition("r1"), of: media) }
            await #expect(throws: GraphError.mediaNotFound) { try await store.remove("r1", of: media) }
        }
    }

    @Test
    func `posts show the renditions of their file, and each change tells of every post`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let media = try await file(graph, by: ann)
            func post() async throws -> PostID {
                try await graph.posts.publish(NewPost(author: ann, caption: "c", mediaURL: "/media/1", media: media)).id
            }
            let early = try await post()
            #expect(try await graph.posts.posts([early]).first?.renditions == nil)
            let before = try await graph.changes.latestChange()
            _ = try await graph.renditions.put(rendition("720p"), of: media)
            let late = try await post()
            for post in try await graph.posts.posts([early, late]) {
                #expect(try [Rendition](stored: post.renditions) == [rendition("720p")])
            }
            let told = try await graph.changes.changes(above: before, limit: 99).map(\.change)
            #expect(told.first == .postEdited(early, author: ann))
            let quiet = try await graph.changes.latestChange()
            _ = try await graph.renditions.put(rendition("720p"), of: media)
            #expect(try await graph.changes.latestChange() == quiet, "nothing has changed")
            try await graph.posts.deletePost(late, by: ann)
            let deleted = try await graph.changes.latestChange()
            try await graph.renditions.remove("720p", of: media)
            let last = try await graph.changes.changes(above: deleted, limit: 99).map(\.change)
            #expect(last == [.postEdited(early, author: ann)])
            #expect(try await graph.posts.posts([early]).first?.renditions == nil)
        }
    }
}
