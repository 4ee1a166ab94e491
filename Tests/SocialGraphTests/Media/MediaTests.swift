import Database
import MediaJobs
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct MediaTests {
    @Test
    func `a stored file is found by its id and an id is handed out once`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let ids = try await fixture.graph.media.reserveMediaIDs(3)
            #expect(Set(ids).count == 3)
            let file = NewMedia(
                id: ids[1], contentType: "video/mp4", fileName: "\(ids[1].rawValue).mp4", bytes: 7, sha256: [1, 2])
            let stored = try await fixture.graph.media.storeMedia([file], by: ann)
            #expect(stored.map(\.path) == ["/media/\(ids[1].rawValue).mp4"])
            #expect(try await fixture.graph.media.media(ids[1]) == stored[0])
            #expect(stored[0].owner == ann && stored[0].bytes == 7 && stored[0].sha256 == [1, 2])
            #expect(stored[0].createdAt == fixture.clock.now)
            #expect(try await fixture.graph.media.media(ids[0]) == nil)
            #expect(try await fixture.graph.media.fileNames(of: ids) == [file.fileName])
            #expect(try await fixture.graph.media.reserveMediaIDs(1)[0] > ids[2])
        }
    }

    @Test
    func `files of one upload are stored together or not at all`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let ids = try await fixture.graph.media.reserveMediaIDs(2)
            let files = [ids[0], ids[1], ids[0]].map {
                NewMedia(id: $0, contentType: "video/mp4", fileName: "f", bytes: 1, sha256: [])
            }
            await #expect(throws: (any Error).self) { _ = try await fixture.graph.media.storeMedia(files, by: ann) }
            await #expect(throws: GraphError.accountNotFound) {
                _ = try await fixture.graph.media.storeMedia([files[0]], by: UserID(rawValue: 1))
            }
            #expect(try await fixture.integer("SELECT COUNT(*) FROM media") == 0)
        }
    }

    @Test
    func `what users store is counted exactly, bounded, and given back`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let quota = MediaQuota(bytes: 100, files: 3)
            func store(_ sizes: [Int64], by owner: UserID) async throws -> [Media] {
                let ids = try await graph.media.reserveMediaIDs(sizes.count)
                let files = zip(ids, sizes).map {
                    NewMedia(id: $0, contentType: "video/mp4", fileName: "\($0)", bytes: $1, sha256: [])
                }
                return try await graph.media.storeMedia(files, by: owner, within: quota)
            }
            #expect(try await graph.media.mediaUsage(of: ann) == MediaUsage())
            let first = try await store([40, 40], by: ann)
            // Two files that would each fit alone exceed the quota together, so none is stored.
            await #expect(throws: GraphError.uploadQuotaExceeded(quota)) { try await store([10, 11], by: ann) }
            #expect(try await graph.media.mediaUsage(of: ann) == MediaUsage(bytes: 80, files: 2))
            _ = try await store([20], by: ann)
            await #expect(throws: GraphError.uploadQuotaExceeded(quota)) { try await store([0], by: ann) }
            _ = try await store([100], by: bob)
            #expect(try await graph.media.deleteMedia(first[0].id))
            #expect(try await !graph.media.deleteMedia(first[0].id))
            #expect(try await graph.media.mediaUsage(of: ann) == MediaUsage(bytes: 60, files: 2))
            _ = try await store([40], by: ann)
            try await graph.erasures.deleteAccount(ann)
            while try await graph.erasures.eraseSome(of: ann) == .removed {}
            #expect(try await graph.media.mediaUsage(of: ann) == MediaUsage())
            #expect(try await graph.media.mediaUsage(of: bob) == MediaUsage(bytes: 100, files: 1))
        }
    }

    @Test
    func `all posts that show a file are found page by page`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let media = try await fixture.file(of: ann)
            var expected: Set<PostID> = []
            for index in 0..<25 {
                let post = try await fixture.post(ann)
                try await fixture.show(index.isMultiple(of: 3) ? [nil, media] : [media, nil], on: post)
                if index == 7 { try await fixture.graph.posts.deletePost(post, by: ann) } else { expected.insert(post) }
            }
            for limit in [1, 2, 7, 100] {
                var found: Set<PostID> = []
                var cursor: PostID?
                repeat {
                    let page = try await fixture.graph.media.posts(showing: media, below: cursor, limit: limit)
                    found.formUnion(page.items)
                    cursor = page.next
                } while cursor != nil
                #expect(found == expected, "limit \(limit)")
            }
        }
    }

    /// Compares the unused and the deletable files with sets kept beside the graph.
    @Test(arguments: 1...8)
    func `only files that nothing shows are unused and can be deleted`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: seed)
            let users = try await fixture.users(3)
            var files: [MediaID: Int64] = [:]
            var posts: [PostID: (author: UserID, shown: [MediaID?])] = [:]
            var pictures: [UserID: MediaID] = [:]
            var (kept, deleted) = (0, 0)
            for _ in 0..<200 {
                fixture.clock.advance(by: Int64.random(in: 1...5, using: &random))
                let (user, media) = (
                    users.randomElement(using: &random)!, files.keys.sorted().randomElement(using: &random)
                )
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: files[try await fixture.file(of: user)] = fixture.clock.now
                case 2:
                    let shown = [media, Bool.random(using: &random) ? files.keys.sorted().first : nil]
                    let post = try await fixture.post(user)
                    try await fixture.show(shown, on: post)
                    posts[post] = (user, shown)
                case 3:
                    guard let post = posts.keys.sorted().randomElement(using: &random), let author = posts[post]?.author
                    else { continue }
                    try await fixture.graph.posts.deletePost(post, by: author)
                    posts[post] = nil
                case 4:
                    try await fixture.setPicture(media, of: user)
                    pictures[user] = media
                default:
                    guard let media else { continue }
                    let isUsed = pictures.values.contains(media) || posts.values.contains { $0.shown.contains(media) }
                    #expect(try await fixture.graph.media.deleteMedia(media) == !isUsed)
                    if isUsed { kept += 1 } else { deleted += 1 }
                    if !isUsed { files[media] = nil }
                }
                let used = Set(pictures.values).union(posts.values.flatMap { $0.shown.compactMap(\.self) })
                let limit = fixture.clock.now - 20
                let expected = files.filter { $0.value < limit && !used.contains($0.key) }.keys.sorted()
                #expect(
                    try await fixture.unused(before: limit, pages: Int.random(in: 1...5, using: &random)) == expected)
            }
            #expect(kept > 0 && deleted > 0, "one of the two was not tried")
            #expect(try await fixture.integer("SELECT COUNT(*) FROM media") == Int64(files.count))
        }
    }
}

extension GraphFixture {
    fileprivate func file(of owner: UserID) async throws -> MediaID {
        let id = try await graph.media.reserveMediaIDs(1)[0]
        let file = NewMedia(id: id, contentType: "video/mp4", fileName: "\(id.rawValue).mp4", bytes: 1, sha256: [1])
        return try await graph.media.storeMedia([file], by: owner)[0].id
    }

    /// Sets the content and the thumbnail of a post.
    fileprivate func show(_ media: [MediaID?], on post: PostID) async throws {
        let values = media.map { $0.map(SQLValue.media) ?? .null }
        _ = try await database.write { transaction in
            try transaction.execute(
                "UPDATE post SET media_id = ?2, thumbnail_id = ?3 WHERE id = ?1", [.post(post)] + values)
        }
    }

    fileprivate func setPicture(_ media: MediaID?, of user: UserID) async throws {
        _ = try await database.write { transaction in
            try transaction.execute(
                "UPDATE account SET picture_id = ?2 WHERE id = ?1", [.user(user), media.map(SQLValue.media) ?? .null])
        }
    }

    fileprivate func unused(before time: Int64, pages limit: Int) async throws -> [MediaID] {
        var found: [MediaID] = []
        var cursor: MediaID?
        repeat {
            let page = try await graph.media.unusedMedia(above: cursor, storedBefore: time, limit: limit)
            found += page.unused.map(\.id)
            cursor = page.next
        } while cursor != nil
        return found
    }
}
