import AsyncHTTPClient
import CommandSupport
import Foundation
import GraphdClient
import NIOCore

/// The server of the data directory: running and ready, or able to start.
struct ServerCheck {
    enum Answer {
        case ready(Readiness)
        /// Nothing usable came back; the reason.
        case silent(String)
        /// The server was not asked, because it has only an address with TLS.
        case unasked
    }

    /// Age of the oldest job in the outbox, in seconds, from which on followers notice.
    static let longestWait = 60

    let pid: Int
    /// The address that was asked.
    let address: String
    let answer: Answer

    var findings: [Finding] {
        switch answer {
        case .unasked:
            return [
                Finding(
                    .server, .note,
                    "Process \(pid) serves the data directory. It was not asked for its state, because "
                        + "it serves over TLS only.",
                    remedy: "Give the server an --admin-address, or look at /readyz.")
            ]
        case .silent(let reason):
            return [
                Finding(
                    .server, .failure,
                    "Process \(pid) serves the data directory and does not answer at \(address): "
                        + "\(reason).",
                    remedy: "Name its --host and --port (or --config) if they are others; otherwise look at its log.")
            ]
        case .ready(let state): return findings(state)
        }
    }

    private func findings(_ state: Readiness) -> [Finding] {
        var findings = (state.problems ?? []).map { problem in
            Finding(.server, state.status == .degraded ? .warning : .failure, problem.detail)
        }
        if state.status == .unavailable {
            findings.append(
                Finding(
                    .server, .failure, "The server cannot read its database.", remedy: "Look at the log of the server.")
            )
        }
        if state.redis == .down {
            findings.append(
                Finding(
                    .server, .warning,
                    "The server does not reach \(Self.unreached(state)): timelines come from SQLite, more slowly.",
                    remedy: "Look at redis.log in the data directory, or at the Redis that --redis names."))
        }
        if let outbox = state.outbox, outbox.oldestSeconds > Self.longestWait {
            findings.append(
                Finding(
                    .server, .warning,
                    "Deliveries are behind: \(outbox.pending) jobs wait, the oldest for "
                        + "\(AgeText.text(Int64(outbox.oldestSeconds) * 1_000)).",
                    remedy: "See docs/operations/incidents.md, GraphdFanoutLags."))
        }
        guard findings.isEmpty else { return findings }
        return [
            Finding(.server, .sound, "Process \(pid) is ready at \(address); \(state.outbox?.pending ?? 0) jobs wait.")
        ]
    }
}

extension ServerCheck {
    private static func unreached(_ state: Readiness) -> String {
        if let cluster = state.redisCluster {
            return "\(cluster.coldBuckets) of the 256 buckets of its Redis Cluster"
        }
        guard let shards = state.redisShards else { return "its Redis" }
        return "\(shards.count { $0 == .down }) of its \(shards.count) Redis shards"
    }

    /// Asks the server for its state.
    ///
    /// - Parameter address: such as `http://127.0.0.1:8080`; nil if it serves over TLS only.
    init(pid: Int, address: String?) async {
        guard let address else {
            self.init(pid: pid, address: "", answer: .unasked)
            return
        }
        self.init(pid: pid, address: address, answer: await Self.ask(address))
    }

    private static func ask(_ address: String) async -> Answer {
        guard let server = URL(string: address) else { return .silent("it is not an address") }
        var configuration = Configuration()
        configuration.retries.maximumAttempts = 1
        let client = GraphdClient(
            server: server, transport: AsyncHTTPClientTransport(client: http), configuration: configuration)
        // A server that is not ready says why with 503.
        guard let answer = try? await client.answer(.get, "/readyz") else { return .silent("there is no connection") }
        guard let state = try? answer.decoded(Readiness.self) else { return .silent("status \(answer.status)") }
        return .ready(state)
    }

    private static let http = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(30), read: .seconds(30)))
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// No process serves the directory: whether one could listen.
    static func absent(_ addresses: () throws -> Void) -> [Finding] {
        do {
            try addresses()
            return [Finding(.server, .note, "No server runs on this data directory. Its addresses are free.")]
        } catch {
            return [
                Finding(.server, .failure, "No server runs on this data directory, and none could start: \(error)")
            ]
        }
    }
}
