import Database
import Foundation
import GraphAssembly
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices

/// The classifier service in this process, over a graph of its own, with a scripted classifier and a clock that the
/// test moves.
struct ClassifierFixture: Sendable {
    enum State: Equatable { case shown, held, takenDown }

    let graph: GraphStore
    let clock: AdjustableClock
    let fake: FakeClassifier
    let url: String
    let service: ClassifierService
    let admin: UserID
    let author: UserID

    static let secret = (0..<32).map { UInt8($0) }

    static func with(_ body: @Sendable (ClassifierFixture) async throws -> Void) async throws {
        let fake = FakeClassifier()
        try await fake.running { url in
            try await withTemporaryDirectory("classify") { path in
                try await body(try await ClassifierFixture(path, fake, url))
            }
        }
    }

    private init(_ path: String, _ fake: FakeClassifier, _ url: String) async throws {
        let clock = AdjustableClock()
        try EmptyGraph.create(at: path + "/graph.db")
        graph = GraphStore(database: try SQLiteDatabase(path: path + "/graph.db", clock: { clock.now }))
        (self.clock, self.fake, self.url) = (clock, fake, url)
        service = Self.service(graph, clock)
        admin = try await graph.accounts.createAccount(username: "admin", email: nil, passwordHash: nil).id
        author = try await graph.accounts.createAccount(username: "ann", email: nil, passwordHash: nil).id
        _ = try await graph.moderation.appoint(.admin, admin, reason: "first")
    }

    static func service(_ graph: GraphStore, _ clock: AdjustableClock) -> ClassifierService {
        let addresses = AddressGuard(allowsPrivate: true, resolve: { _, _ in throw AddressGuard.Refusal.notFound })
        let sender = ClassifierSender(
            addresses: addresses, publicURL: { "https://app.example" + $0 }, now: { clock.now })
        let backoff = PushBackoff(first: 1_000, factor: 2, longest: 8_000, attempts: .max, random: { 0 })
        return ClassifierService(
            graph: graph, formerOwner: .isDead, logger: .silent, backoff: backoff, now: { clock.now },
            ask: sender.ask)
    }

    @discardableResult
    func classifier(
        _ name: String = "vision", timeout: Int64 = 10_000, fallback: ClassifierVerdict
    ) async throws -> Classifier {
        try await graph.classifiers.createClassifier(
            NewClassifier(name, url: url + "/\(name)", secret: Self.secret, timeout: timeout, fallback: fallback),
            by: admin)
    }

    func post(_ caption: String = "caption") async throws -> PostID {
        try await graph.posts.publish(NewPost(author: author, caption: caption, mediaURL: "/media/1")).id
    }

    func state(_ subject: ModerationSubject) async throws -> State {
        try await graph.database.read { reader in
            let table = subject.kind == .post ? "post" : "comment"
            let marks = try reader.first(
                "SELECT held_at, taken_down_at FROM \(table) WHERE id = ?1", [.integer(subject.rawValue)]
            ) { ($0.optionalInteger(0) != nil, $0.optionalInteger(1) != nil) }
            switch marks {
            case (true, _)?: return .held
            case (_, true)?: return .takenDown
            default: return .shown
            }
        }
    }

    func count(_ table: String) async throws -> Int64? {
        try await graph.database.read { try $0.first("SELECT COUNT(*) FROM \(table)", []) { $0.integer(0) } }
    }
}
