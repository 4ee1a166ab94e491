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

    /// Posts in one transaction.
    static let batch = 1_000

    let graph: GraphStore
    var columns = PostColumns()
    var tagsSeparator = "|"
    var creation: CreationDate?
    var categoryNames: [String: String] = [:]
    var authors = AuthorMapping.usernames
    var fits = false
    /// Import nothing if any line is malformed.
    var strict = false
    var showsProgress = true

    /// With dates, or if strict, all posts are held in memory before the first is written.
    func run(_ file: InputFile) async throws -> Summary {
        var reader = CSVReader(file: file)
        let parser = try parser(header: try reader.next())
        let holdsAll = strict || columns.created != nil
        var authors = PostAuthors(graph: graph, mapping: authors)
        var bar = ProgressBar(label: "importing", unit: .bytes, total: file.size, isShown: showsProgress && StandardError.isTerminal)
        defer { bar.finish() }
        var summary = Summary()
        var posts: [NewPost] = []
        while let record = try reader.next() {
            do {
                let draft = try parser.draft(try record.fields.get())
                posts.append(try await post(draft, &authors))
                summary.textsCut += draft.textsCut
                summary.tagsDropped += draft.tagsDropped
            } catch let problem as LineProblem {
                summary.malformed.add(problem, line: record.line)
            }
            if !holdsAll, posts.count == Self.batch { try await publish(&posts, &summary) }
            bar.update(done: file.bytesRead)
        }
        summary.authors = authors.count
        if strict, summary.malformed.count > 0 { return Summary(malformed: summary.malformed) }
        try await publish(&posts, &summary)
        return summary
    }

    private func parser(header: CSVReader.Record?) throws -> PostRowParser {
        guard let header else { throw CommandFailure("The file is empty. Its first line names the columns.") }
        guard case .success(let names) = header.fields else {
            throw CommandFailure("The first line cannot be read. It names the columns, with commas between them.")
        }
        return PostRowParser(
            places: try columns.places(in: names), tagsSeparator: tagsSeparator, creation: creation,
            categoryNames: categoryNames, fits: fits)
    }

    private func post(_ draft: PostDraft, _ authors: inout PostAuthors) async throws -> NewPost {
        NewPost(
            author: try await authors.user(draft.authorValue), caption: draft.caption, mediaURL: draft.mediaURL,
            category: draft.category, algorithmTags: draft.tags, link: draft.link, createdAt: draft.created)
    }

    /// Writes `posts`, the oldest first, and empties it.
    private func publish(_ posts: inout [NewPost], _ summary: inout Summary) async throws {
        let byDate = posts.enumerated().sorted { ($0.element.createdAt ?? 0, $0.offset) < ($1.element.createdAt ?? 0, $1.offset) }
        for start in stride(from: 0, to: byDate.count, by: Self.batch) {
            let part = byDate[start..<min(start + Self.batch, byDate.count)].map(\.element)
            try await graph.publish(batch: part)
            summary.posts += part.count
        }
        posts.removeAll(keepingCapacity: true)
    }
}
