import Database
import ServiceTestSupport
import SocialGraph
import Synchronization
import Testing

@testable import StrictJSON

/// The posts that clients have sent and the answers that they got. A post is known by its caption.
final class PublishingHistory: Sendable {
    private struct State {
        var acknowledged: [String: String] = [:]
        var refusals = 0
        var codes: Set<String> = []
        var unexpected: [String] = []
    }

    private let state = Mutex(State())
    private let file: LineFile?

    /// - Parameter file: a file that keeps the acknowledgements, and may have some already; nil: only memory does.
    init(file: LineFile? = nil) {
        self.file = file
        state.withLock { state in
            for line in file?.lines ?? [] {
                let parts = line.split(separator: " ")
                if parts.count == 2 { state.acknowledged[String(parts[0])] = String(parts[1]) }
            }
        }
    }

    /// The ids of posts by their captions.
    var acknowledged: [String: String] { state.withLock { $0.acknowledged } }
    /// Answers without success, and their codes.
    var refusals: Int { state.withLock { $0.refusals } }
    var codes: Set<String> { state.withLock { $0.codes } }

    func acknowledge(_ caption: String, as id: String) throws {
        let former = state.withLock { $0.acknowledged.updateValue(id, forKey: caption) }
        #expect(former == nil || former == id, "\(caption) has two ids")
        try file?.append("\(caption) \(id)")
    }

    /// Notes an answer without success, which must be one that tells the client to come again.
    func refuse(_ answer: Answer) {
        let isClear = answer.status == 503 && answer.header("Retry-After") != nil
        state.withLock { state in
            state.refusals += 1
            if let code = try? answer.json["code"]?.text { state.codes.insert(code) }
            if !isClear { state.unexpected.append("\(answer)") }
        }
    }

    /// Expects that the database has everything that was acknowledged, nothing twice, and ids in the order of the log.
    func check(_ server: GraphdServer, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let found = try await server.graph.database.read { reader in
            try reader.rows("SELECT caption, id FROM post ORDER BY id", []) { ($0.text(0), String($0.integer(1))) }
        }
        let ids = Dictionary(grouping: found, by: \.0).mapValues { $0.map(\.1) }
        let twice = ids.filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "published twice: \(twice.keys.sorted().prefix(5))", sourceLocation: sourceLocation)
        let lost = acknowledged.filter { ids[$0.key] != [$0.value] }
        #expect(lost.isEmpty, "lost: \(lost.keys.sorted().prefix(5))", sourceLocation: sourceLocation)
        let logged = try await server.graph.database.read { reader in
            try reader.rows("SELECT subject FROM change WHERE kind = 1 ORDER BY seq", []) { $0.integer(0) }
        }
        let ascends = zip(logged, logged.dropFirst()).allSatisfy { $0 < $1 }
        #expect(ascends, "ids do not ascend in the log", sourceLocation: sourceLocation)
        let unexpected = state.withLock { $0.unexpected }
        #expect(unexpected.isEmpty, "\(unexpected.prefix(3))", sourceLocation: sourceLocation)
    }
}
