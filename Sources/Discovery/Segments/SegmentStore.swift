import Database
import SocialGraph

/// Labelled segments and transcripts of videos.
package struct SegmentStore: Sendable {
    let database: any GraphDatabase

    /// Queries on one snapshot.
    package struct Reader {
        let reader: any SQLReader
        package init(_ reader: any SQLReader) { self.reader = reader }
    }

    /// Writes in one transaction.
    package struct Writer {
        let transaction: any GraphTransaction
        package init(_ transaction: any GraphTransaction) { self.transaction = transaction }
    }
}

extension SegmentStore {
    /// Replaces the segments of the post with `segments`; allowed for its author and accepted collaborators. An earlier
    /// segment keeps its id: the match is one of the same label and times, otherwise the next of the same label.
    /// Returns the segments in order. Throws ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    @discardableResult
    package func replaceSegments(
        of post: PostID, by user: UserID, with segments: [NewSegment]
    ) async throws -> [VideoSegment] {
        let labels = segments.map(\.label)
        let draft = ScreeningDraft(author: try await judgedAuthor(of: post) ?? user, isNew: false) {
            let transcript = try Reader($0).transcript(of: post)
            return try Reader($0).screened(post, labels: labels, transcript: transcript)
        }
        return try await database.writeScreened(draft) { screening, transaction in
            try Writer(transaction).renewSegmentation(of: post, by: user)
            var former = try Reader(transaction).segments(of: post)
            let sorted = segments.sorted { ($0.start, $0.end, $0.label) < ($1.start, $1.end, $1.label) }
            var ids = sorted.map { segment in
                former.remove { ($0.label, $0.start, $0.end) == (segment.label, segment.start, segment.end) }
            }
            for index in sorted.indices where ids[index] == nil {
                ids[index] = former.remove { $0.label == sorted[index].label }
            }
            let stored = try zip(sorted, ids).map { segment, id in
                VideoSegment(
                    id: try id ?? SegmentID(rawValue: transaction.nextID()), label: segment.label,
                    start: segment.start, end: segment.end)
            }
            try transaction.execute("DELETE FROM segment WHERE post_id = ?1", [.post(post)])
            for segment in stored {
                try transaction.execute(
                    "INSERT INTO segment (id, post_id, label, starts_at, ends_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                    [
                        .integer(segment.id.rawValue), .post(post), .text(segment.label), .integer(segment.start),
                        .integer(segment.end),
                    ])
            }
            try Writer(transaction).rescreen(post, screening)
            return stored.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
        }
    }

    /// Replaces the transcript of the post with `transcript`, which is WebVTT; nil removes it. Allowed for its author
    /// and accepted collaborators. Throws ``GraphError/postNotFound`` and ``GraphError/notAuthor``.
    package func replaceTranscript(of post: PostID, by user: UserID, with transcript: String?) async throws {
        let draft = ScreeningDraft(author: try await judgedAuthor(of: post) ?? user, isNew: false) {
            try Reader($0).screened(post, labels: try Reader($0).labels(of: post), transcript: transcript)
        }
        try await database.writeScreened(draft) { screening, transaction in
            try Writer(transaction).renewSegmentation(of: post, by: user)
            try transaction.execute(
                "UPDATE segmentation SET transcript = ?2 WHERE post_id = ?1", [.post(post), .optional(transcript)])
            try Writer(transaction).rescreen(post, screening)
        }
    }

    /// Returns the author, whom screening rules judge even if a collaborator has written the text.
    private func judgedAuthor(of post: PostID) async throws -> UserID? {
        try await database.read { reader in
            try reader.first("SELECT author_id FROM post WHERE id = ?1", [.post(post)]) {
                UserID(rawValue: $0.integer(0))
            }
        }
    }

    /// Returns the segmentation of `post` on one snapshot. `known`: a version whose content the caller already has.
    package func segmentation(of post: PostID, known: Int64? = nil) async throws -> SegmentationReading {
        try await database.read { reader in
            let video = try reader.first(Self.videoQuery, [.post(post)]) { row in
                (title: row.optionalText(0), seconds: row.optionalReal(1), version: row.optionalInteger(2))
            }
            let duration = video?.seconds.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }
            guard let version = video?.version, version != known else {
                return SegmentationReading(
                    version: video?.version, segmentation: nil, title: video?.title, duration: duration)
            }
            let segmentation = Segmentation(
                segments: try Reader(reader).segments(of: post),
                transcript: try Reader(reader).transcript(of: post))
            return SegmentationReading(
                version: version, segmentation: segmentation, title: video?.title, duration: duration)
        }
    }

    /// Returns the segments of each of `posts` by start, without their transcripts.
    package func segments(of posts: [PostID]) async throws -> [[VideoSegment]] {
        try await database.read { try Reader($0).segments(of: posts) }
    }

    /// Returns the segmentations of the posts with `user` among their authors, page by page, latest first.
    package func ownSegmentations(
        of user: UserID, below cursor: Int64?, limit: Int
    ) async throws -> Page<OwnSegmentation, Int64> {
        try await database.read { reader in
            let arguments: [SQLValue] = [.user(user), .integer(cursor ?? .max), .integer(Int64(limit + 1))]
            let posts = try reader.rows(Self.ownSegmentationsQuery, arguments) {
                (post: PostID(rawValue: $0.integer(0)), transcript: $0.optionalText(1))
            }
            let segments = try Reader(reader).segments(of: posts.map(\.post))
            let items = zip(posts, segments).map { row, segments in
                OwnSegmentation(
                    post: row.post, segmentation: Segmentation(segments: segments, transcript: row.transcript))
            }
            return Page(rows: items, limit: limit) { $0.post.rawValue }
        }
    }

    static let videoQuery = """
        SELECT p.title, a.number_value, s.version
        FROM post p LEFT JOIN segmentation s ON s.post_id = p.id
            LEFT JOIN post_attribute a ON a.post_id = p.id AND a.name = 'duration'
        WHERE p.id = ?1
        """

    static let transcriptQuery = "SELECT transcript FROM segmentation WHERE post_id = ?1"

    static let ownSegmentationsQuery = """
        SELECT ap.post_id, s.transcript FROM author_post ap JOIN segmentation s ON s.post_id = ap.post_id
        WHERE ap.author_id = ?1 AND ap.post_id < ?2 ORDER BY ap.post_id DESC LIMIT ?3
        """
}

extension SegmentStore.Reader {
    static let segmentsQuery = """
        SELECT id, label, starts_at, ends_at FROM segment WHERE post_id = ?1 ORDER BY starts_at, ends_at, id
        """

    fileprivate func segments(of post: PostID) throws -> [VideoSegment] { try segments(of: [post])[0] }

    /// The segments of each of `posts`, in one round trip.
    fileprivate func segments(of posts: [PostID]) throws -> [[VideoSegment]] {
        try reader.rows(of: posts.map { SQLQuery(Self.segmentsQuery, [.post($0)]) }) {
            VideoSegment(
                id: SegmentID(rawValue: $0.integer(0)), label: $0.text(1), start: $0.integer(2), end: $0.integer(3))
        }
    }
}

extension SegmentStore.Writer {
    /// Screens the post again, because rules also cover the texts of its video.
    fileprivate func rescreen(_ post: PostID, _ screening: (any ScreeningVerdict)?) throws {
        let community = try PostStore.Reader(transaction).screenedCommunity(of: post)
        _ = try transaction.screen(.post(post), isNew: false, screening, in: community)
    }

    /// Gives the segmentation a new version; creates it if there is none.
    fileprivate func renewSegmentation(of post: PostID, by user: UserID) throws {
        try PostStore.Reader(transaction).requireLive(post)
        guard try PostStore.Reader(transaction).isAuthor(user, of: post) else {
            throw GraphError.notAuthor
        }
        try transaction.execute(
            """
            INSERT INTO segmentation (post_id, version) VALUES (?1, ?2)
            ON CONFLICT (post_id) DO UPDATE SET version = excluded.version
            """, [.post(post), .integer(try transaction.nextID())])
        try transaction.record(.segmentsChanged(post, author: user))
    }

    /// Deletes the segments and the transcript of a deleted post.
    func deleteSegmentation(of post: PostID) throws {
        try transaction.execute("DELETE FROM segment WHERE post_id = ?1", [.post(post)])
        try transaction.execute("DELETE FROM segmentation WHERE post_id = ?1", [.post(post)])
    }
}

/// A segmentation of one of a user's own posts.
package struct OwnSegmentation: Sendable, Equatable {
    package let post: PostID
    package let segmentation: Segmentation
}

extension [VideoSegment] {
    /// Removes the first segment that meets `condition` and returns its id.
    fileprivate mutating func remove(where condition: (VideoSegment) -> Bool) -> SegmentID? {
        firstIndex(where: condition).map { remove(at: $0).id }
    }
}
