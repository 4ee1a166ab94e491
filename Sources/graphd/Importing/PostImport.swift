import Algorithms
import Audit
import CommandSupport
import Database
import Importing
import SocialGraph

/// An import of posts from a file of comma-separated values.
struct PostImport {
    struct Summary: Equatable {
        var posts = 0
        var authors = 0
        var textsCut = 0
        var tagsDropped = 0
        var malformed = MalformedLines()
    }

    /// Number of posts in one transaction.
    static let batch = 1_000
    /// The same in a database on a server: other nodes wait for it, some 50 ms at most.
    static let batchShared = 50
    /// Number of posts up to which each is pushed; for a larger import all windows are evicted.
    static let pushedPosts = 10_000

    let graph: GraphStore
    var columns = PostColumns()
    var tagsSeparator = "|"
    var creation: CreationDate?
    var categoryNames: [String: String] = [:]
    var authors = AuthorMapping.usernames
    var pushed = Self.pushedPosts
    var fits = false
    /// True if nothing is imported if any line is malformed.
    var strict = false
    /// The entry of the audit for the first transaction.
    var beginning: AuditNote?
    var showsProgress = true

    /// Runs the import. With dates, or if strict, all posts are held in memory before the first is written.
    func run(_ file: InputFile) async throws -> Summary {
        let source = try source(file)
        let writer = PostWriter(
            graph: graph, authors: PostAuthors(graph: graph, mapping: authors), pushed: pushed,
            holdsAll: strict || columns.created != nil, beginning: beginning)
        var bar = ProgressBar(
            label: "importing", unit: .bytes, total: file.size, isShown: showsProgress && StandardError.isTerminal)
        defer { bar.finish() }
        while true {
            let rows = try source.nextBatch(limit: Self.batch)
            if rows.isEmpty { break }
            try await writer.add(rows)
            bar.update(done: file.bytesRead)
        }
        let malformed = writer.summary.malformed
        if strict, malformed.count > 0 { return Summary(malformed: malformed) }
        return try await writer.finish()
    }

    private func source(_ file: InputFile) throws -> PostSource {
        var reader = CSVReader(file: file)
        guard let header = try reader.next() else {
            throw CommandFailure("The file is empty. Its first line must name the columns.")
        }
        guard case .success(let names) = header.fields else {
            throw CommandFailure("The first line cannot be read. It must name the columns, separated by commas.")
        }
        let parser = PostRowParser(
            places: try columns.places(in: names), tagsSeparator: tagsSeparator, creation: creation,
            categoryNames: categoryNames, fits: fits)
        return PostSource(reader: reader, parser: parser)
    }
}

/// The rows of a file, batch by batch. (A class, like the next one: Swift 6.3.1 crashes on structs here.)
private final class PostSource {
    typealias Row = (line: Int, draft: Result<PostDraft, LineProblem>)

    private var reader: CSVReader
    private let parser: PostRowParser

    init(reader: CSVReader, parser: PostRowParser) {
        self.reader = reader
        self.parser = parser
    }

    func nextBatch(limit: Int) throws -> [Row] {
        var rows: [Row] = []
        while rows.count < limit, let record = try reader.next() {
            rows.append((record.line, record.fields.flatMap(parser.draft)))
        }
        return rows
    }
}

/// Finds the authors of drafts and publishes them.
private final class PostWriter {
    private let graph: GraphStore
    private var authors: PostAuthors
    private let pushed: Int
    /// True if nothing is written before the end.
    private let holdsAll: Bool
    private let beginning: AuditNote?
    private(set) var summary = PostImport.Summary()
    private var posts: [NewPost] = []

    init(graph: GraphStore, authors: PostAuthors, pushed: Int, holdsAll: Bool, beginning: AuditNote?) {
        self.graph = graph
        self.authors = authors
        self.pushed = pushed
        self.holdsAll = holdsAll
        self.beginning = beginning
    }

    func add(_ rows: [PostSource.Row]) async throws {
        for row in rows {
            switch row.draft {
            case .failure(let problem): summary.malformed.add(problem, line: row.line)
            case .success(let draft): add(draft, by: try await authors.user(draft.authorValue), line: row.line)
            }
        }
        if !holdsAll { try await publish() }
    }

    private func add(_ draft: PostDraft, by author: Result<UserID, LineProblem>, line: Int) {
        switch author {
        case .failure(let problem): summary.malformed.add(problem, line: line)
        case .success(let user):
            summary.textsCut += draft.textsCut
            summary.tagsDropped += draft.tagsDropped
            posts.append(
                NewPost(
                    author: user, caption: draft.caption, mediaURL: draft.mediaURL, category: draft.category,
                    algorithmTags: draft.tags, link: draft.link, createdAt: draft.created))
        }
    }

    func finish() async throws -> PostImport.Summary {
        try await publish()
        summary.authors = authors.count
        return summary
    }

    /// Writes the held posts, the oldest first.
    private func publish() async throws {
        let sorted = posts.enumerated().sorted {
            ($0.element.createdAt ?? 0, $0.offset) < ($1.element.createdAt ?? 0, $1.offset)
        }.map(\.element)
        posts.removeAll(keepingCapacity: true)
        let batch = graph.database.isShared ? PostImport.batchShared : PostImport.batch
        for part in sorted.chunks(ofCount: batch) {
            let note = summary.posts == 0 ? beginning : nil
            summary.posts += part.count
            try await graph.bulkPosts.publish(
                batch: Array(part), fanout: summary.posts <= pushed ? .pushes : .evict, with: note)
        }
    }
}
