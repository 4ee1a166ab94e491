import CommandSupport

/// One follow, by usernames.
typealias FollowEdge = (follower: String, followee: String)

/// Reads follows line by line: comma-separated values whose header names the columns `follower` and `followee`, or two
/// names a line separated by white space. Blank lines and lines that start with `#` are skipped.
///
/// The source id `17` means the username `u17`; anything else must be a username itself.
struct FollowLineParser {
    enum Outcome {
        case edge(FollowEdge)
        case skipped
        case malformed(LineProblem)
    }

    private enum Format {
        case unknown
        case whitespace
        case csv(columns: Int, follower: Int, followee: Int)
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private static let follower = Array("follower".utf8)
    private static let followee = Array("followee".utf8)

    private var format = Format.unknown

    /// Parses a line. Throws ``CommandFailure`` for a first line with commas that is not a header, since no later line
    /// could be understood.
    mutating func parse(_ line: UnsafeBufferPointer<UInt8>, isWhole: Bool) throws -> Outcome {
        let content = trimmed(line)
        if content.isEmpty || content[0] == UInt8(ascii: "#") { return .skipped }
        guard isWhole else {
            return .malformed(
                LineProblem("it has more than \(LineReader.lineLimit) bytes", "two names are far shorter"))
        }
        do {
            switch format {
            case .unknown: return try begin(content)
            case .whitespace: return .edge(try edge(ofWords: content))
            case .csv(let columns, let follower, let followee):
                return .edge(try edge(of: content, columns: columns, follower: follower, followee: followee))
            }
        } catch let problem as LineProblem {
            return .malformed(problem)
        }
    }

    /// Decides the format from the first line with content.
    private mutating func begin(_ content: Bytes) throws -> Outcome {
        guard content.contains(UInt8(ascii: ",")) else {
            format = .whitespace
            let words = self.words(content)
            let isHeader = words.count == 2 && Set(words.map(lowercased)) == [Self.follower, Self.followee]
            guard isHeader else { return .edge(try edge(ofWords: content)) }
            if lowercased(words[0]) == Self.followee {
                throw CommandFailure(
                    "Without commas the follower must come first. Swap the columns, or separate them by commas.")
            }
            return .skipped
        }
        let names = ((try? fields(of: content)) ?? []).map { $0.withUnsafeBufferPointer { lowercased(trimmed($0)) } }
        guard names.count(where: { $0 == Self.follower }) == 1, names.count(where: { $0 == Self.followee }) == 1,
            let follower = names.firstIndex(of: Self.follower), let followee = names.firstIndex(of: Self.followee)
        else {
            throw CommandFailure(
                "The first line is not a header that names the columns follower and followee once each. Write "
                    + "\"follower,followee\" above the rows, or separate the names by white space instead of commas.")
        }
        format = .csv(columns: names.count, follower: follower, followee: followee)
        return .skipped
    }

    private func edge(ofWords content: Bytes) throws -> FollowEdge {
        let words = self.words(content)
        guard words.count == 2 else {
            throw LineProblem("it has \(words.count) \(words.count == 1 ? "word" : "words")", "expected two names")
        }
        return try edge(words[0], words[1])
    }

    private func edge(of content: Bytes, columns: Int, follower: Int, followee: Int) throws -> FollowEdge {
        guard columns == 2, let comma = content.firstIndex(of: UInt8(ascii: ",")),
            !content.contains(UInt8(ascii: "\""))
        else {
            let fields = try self.fields(of: content)
            try Self.require(columns: columns, came: fields.count)
            return try fields[follower].withUnsafeBufferPointer { first in
                try fields[followee].withUnsafeBufferPointer { try edge(first, $0) }
            }
        }
        let first = Bytes(rebasing: content[..<comma])
        let second = Bytes(rebasing: content[(comma + 1)...])
        guard !second.contains(UInt8(ascii: ",")) else {
            try Self.require(columns: 2, came: content.count { $0 == UInt8(ascii: ",") } + 1)
            throw LineProblem("it has too many columns", "the header has 2")
        }
        return follower == 0 ? try edge(first, second) : try edge(second, first)
    }

    private static func require(columns: Int, came: Int) throws {
        guard columns == came else {
            throw LineProblem("it has \(came) \(came == 1 ? "column" : "columns")", "the header has \(columns)")
        }
    }

    private func edge(_ follower: Bytes, _ followee: Bytes) throws -> FollowEdge {
        let edge = (
            follower: try ImportedUsername.parse(trimmed(follower), field: "follower"),
            followee: try ImportedUsername.parse(trimmed(followee), field: "followee")
        )
        guard !ImportedUsername.isSame(edge.follower, edge.followee) else {
            throw LineProblem("\"\(edge.follower)\" follows itself", "follower and followee must differ")
        }
        return edge
    }
}

extension FollowLineParser {
    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private func trimmed(_ bytes: Bytes) -> Bytes {
        var range = bytes.indices
        while let first = range.first, Self.isSpace(bytes[first]) { range = range.dropFirst() }
        while let last = range.last, Self.isSpace(bytes[last]) { range = range.dropLast() }
        return Bytes(rebasing: bytes[range])
    }

    private func words(_ content: Bytes) -> [Bytes] {
        content.split(whereSeparator: Self.isSpace).map { Bytes(rebasing: $0) }
    }

    /// Returns a column name in lower case. Letters beyond ASCII, which no column name has, stay unchanged.
    private func lowercased(_ bytes: Bytes) -> [UInt8] {
        bytes.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    }

    /// Returns the fields of one line without quotes.
    private func fields(of content: Bytes) throws -> [[UInt8]] {
        var splitter = CSVFieldSplitter()
        for byte in content { try splitter.consume(byte) }
        return try splitter.finish()
    }
}
