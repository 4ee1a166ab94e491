import Audit
import CommandSupport
import Importing
import SocialGraph

/// An import of follows from a file: reads batches, writes each in one transaction, and reports unreadable lines.
struct FollowImport {
    struct Summary: Equatable {
        var users = 0
        var follows = 0
        /// Lines whose follow already existed, in the graph or earlier in the file, or is forbidden by a block.
        var alreadyPresent = 0
        var malformed = MalformedLines()
    }

    /// Follows in one transaction while a server writes to the same database: its writes wait for it.
    static let batch = 20_000
    /// Follows in one transaction otherwise. The larger it is, the fewer times a page is written. Each follow takes
    /// about 200 bytes of memory until it is written, half of them pages of the database.
    static let batchAlone = 2_000_000

    /// Follows in one transaction of a database on a server: other nodes wait for it, some 50 ms at most.
    static let batchShared = 2_000

    let graph: GraphStore
    /// True if nothing is imported if any line is malformed.
    var strict = false
    var batchSize = Self.batch
    /// The entry of the audit for the first transaction that changes something.
    var beginning: AuditNote?
    var showsProgress = true

    func run(_ input: InputFile) async throws -> Summary {
        var file = input
        if strict {
            file = try input.readableTwice()
            let malformed = try check(file)
            guard malformed.count == 0 else { return Summary(malformed: malformed) }
            try file.rewind()
        }
        return try await write(file)
    }

    private func check(_ file: InputFile) throws -> MalformedLines {
        var source = FollowSource(file: file)
        var bar = ProgressBar(
            label: "checking", unit: .bytes, total: file.size, isShown: showsProgress && StandardError.isTerminal)
        defer { bar.finish() }
        while try !source.nextBatch(limit: batchSize).isEmpty { bar.update(done: file.bytesRead) }
        return source.malformed
    }

    private func write(_ file: InputFile) async throws -> Summary {
        var source = FollowSource(file: file)
        var importer = FollowImporter(graph: graph, beginning: beginning)
        var bar = ProgressBar(
            label: "importing", unit: .bytes, total: file.size, isShown: showsProgress && StandardError.isTerminal)
        defer { bar.finish() }
        var read = 0
        while true {
            let batch = try source.nextBatch(limit: batchSize)
            if batch.isEmpty { break }
            try await importer.write(batch)
            read += batch.count
            bar.update(done: file.bytesRead)
        }
        let total = importer.total
        return Summary(
            users: total.users, follows: total.follows, alreadyPresent: read - total.follows,
            malformed: source.malformed)
    }
}

/// The follows of a file, batch by batch.
private struct FollowSource {
    private(set) var malformed = MalformedLines()
    private var reader: LineReader
    private var parser = FollowLineParser()

    init(file: InputFile) { reader = LineReader(file: file) }

    /// Returns up to `limit` follows; none only at the end of the file.
    mutating func nextBatch(limit: Int) throws -> FollowBatch {
        var batch = FollowBatch()
        while batch.count < limit, let outcome = try reader.next({ try parser.parse($0, isWhole: $1) }) {
            switch outcome {
            case .edge(let edge): batch.append(follower: edge.follower, followee: edge.followee)
            case .skipped: break
            case .malformed(let problem): malformed.add(problem, line: reader.lineNumber)
            }
        }
        return batch
    }
}
