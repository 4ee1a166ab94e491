import Algorithms
import CommandSupport

/// The subjects of a command: its arguments, or lines of standard input if one of them is `-`.
enum SubjectInput {
    static let help = "One or more; - reads them from standard input, one a line, up to a tab."

    /// Returns each subject once, in the order given. `lines` reads standard input.
    static func texts(
        _ arguments: [String], lines: () -> [String] = { Array(AnyIterator { readLine() }) }
    ) throws -> [String] {
        let texts = Array(
            arguments.flatMap { $0 == "-" ? lines().map { trimmed($0) }.filter { !$0.isEmpty } : [$0] }.uniqued())
        guard !texts.isEmpty else { throw ModerationFailure(.badData, "Standard input is empty.") }
        return texts
    }

    /// Returns the text before the first tab, without surrounding white space.
    private static func trimmed(_ line: String) -> String {
        let field = line.prefix { $0 != "\t" }.drop { $0.isWhitespace }
        return String(field.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Parses the id of a post, comment, report or appeal: digits, `#123`, `id:123` or `post:123`.
    static func id(_ text: String, of kind: ModerationSubjectName) throws -> String {
        let bare = text.hasPrefix(kind.rawValue + ":") ? String(text.dropFirst(kind.rawValue.count + 1)) : text
        if let id = ModerationServer.id(bare) { return id }
        guard ModerationServer.isID(bare) else {
            throw ModerationFailure(.badData, "\"\(text)\" is not a \(kind.rawValue). Give its id, a number.")
        }
        return bare
    }
}

extension ModerationServer {
    /// Maximum number of concurrent lookups of names.
    private static let lookups = 8
    /// Number of lookups up to which progress is not reported, because they end too soon.
    private static let quickLookups = 100

    /// Returns the ids of subjects, in the order given. Missing ones are reported before any change.
    func ids(_ texts: [String], of kind: ModerationSubjectName) async throws -> [String] {
        guard kind == .user || kind == .community else {
            return try texts.map { try SubjectInput.id($0, of: kind) }
        }
        var bar = ProgressBar(
            label: "looking up names", unit: .subjects, total: texts.count,
            isShown: texts.count > Self.quickLookups && StandardError.isTerminal)
        defer { bar.finish() }
        var (ids, missing) = ([Int: String](), [String]())
        try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            var next = 0
            func add() {
                guard next < texts.count else { return }
                let index = next
                next += 1
                group.addTask { (index, try await id(of: texts[index], kind)) }
            }
            for _ in 0..<Self.lookups { add() }
            while let (index, id) = try await group.next() {
                if let id { ids[index] = id } else { missing.append(texts[index]) }
                bar.update(done: ids.count + missing.count)
                add()
            }
        }
        guard missing.isEmpty else {
            let shown = missing.sorted().prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
            let more = missing.count > 10 ? " and \(missing.count - 10) more" : ""
            throw ModerationFailure(
                .notFound, "There is no \(kind.rawValue) named \(shown)\(more). Nothing was changed.")
        }
        return texts.indices.compactMap { ids[$0] }
    }

    private func id(of text: String, _ kind: ModerationSubjectName) async throws -> String? {
        do {
            return try await kind == .user ? userID(text) : communityID(text)
        } catch let failure as ModerationFailure where failure.status == .notFound {
            return nil
        }
    }
}
