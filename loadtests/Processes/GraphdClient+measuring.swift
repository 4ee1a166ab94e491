import AsyncHTTPClient
import Foundation
import GraphdClient
import NIOCore

/// The client of the load tests: its requests, and waits for a server.
extension GraphdClient {
    /// - Parameter base: such as `http://127.0.0.1:8080`.
    static func measuring(_ base: String, over http: HTTPClient) throws -> GraphdClient {
        guard let server = URL(string: base) else { throw Program.Failure(description: "\(base) is not a URL") }
        return GraphdClient(
            server: server, transport: AsyncHTTPClientTransport(client: http), configuration: .measuring)
    }

    /// Runs `body` with a client of its own that keeps up to `limit` connections open and closes them afterwards.
    static func withConnections<T: Sendable>(
        _ limit: Int, base: String, _ body: (GraphdClient) async throws -> T
    ) async throws -> T {
        let http = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: .measuring(connections: limit, read: .seconds(60)))
        do {
            let result = try await body(measuring(base, over: http))
            try await http.shutdown()
            return result
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    /// Publishes a post. Returns its id.
    func publish(_ post: NewPost) async throws -> String { try await posts.create(post).postId }

    /// Polls `/readyz` until no job is left that may still change a window. Fails after `limit`.
    func waitUntilOutboxIsEmpty(within limit: Duration = .seconds(600)) async throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let ready = try await operations.readiness()
            guard let outbox = ready.outbox else {
                throw Program.Failure(
                    description: "GET /readyz shows its details only to callers on the server's machine")
            }
            if ready.redis == .up, outbox.pending == 0 { return }
            guard ContinuousClock.now < deadline else {
                throw Program.Failure(description: "the outbox still holds \(outbox.pending) jobs")
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Returns the value of each series of `/metrics`, by its name and labels in their written form.
    func metricValues() async throws -> [String: Double] {
        var values: [String: Double] = [:]
        for line in try await operations.metrics().split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return values
    }
}

extension Configuration {
    /// Nothing is repeated: a refusal or a lost connection is a finding. Without repetitions no post has a key of
    /// idempotency, which the server would store with it.
    static var measuring: Configuration {
        var configuration = Configuration()
        configuration.retries.maximumAttempts = 1
        return configuration
    }
}

extension HTTPClient.Configuration {
    /// - Parameters:
    ///   - connections: concurrent connections. The usual 8 would keep other requests waiting.
    ///   - read: the longest pause of an answer.
    static func measuring(connections: Int, read: Duration) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: TimeAmount(read)))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        return configuration
    }
}

/// The ids of a home page.
///
/// Loops that read pages as fast as they can, or measure a single one, read the answer of the client and of each item
/// its id alone: a page of 20 whole items takes 0.46 ms to decode, its ids 0.16 ms, on the processors of the server.
struct HomePage: Decodable {
    struct Item: Decodable { let postId: String }

    let items: [Item]
    let nextCursor: String?
}

extension GraphdClient {
    /// `GET /v1/timelines/home`
    ///
    /// - Parameter algorithms: Only posts with any of these tags; nil: all posts.
    func homePage(limit: Int = 20, cursor: String? = nil, algorithms: [String]? = nil) async throws -> HomePage {
        let answer = try await answer(
            .get, "/v1/timelines/home",
            query: [
                ("limit", "\(limit)"), ("cursor", cursor), ("algorithms", algorithms?.joined(separator: ",")),
            ])
        if let refusal = answer.refusal { throw refusal }
        return try JSONDecoder().decode(HomePage.self, from: answer.body)
    }
}
