import ArgumentParser
import GraphServices
import Logging
import ServiceLifecycle
import TestSupport

@testable import graphd

/// A server in the process of the tests, with the same services as the program.
final class ServingTask: Sendable {
    /// The port that it listens on.
    let port: Int
    private let group: ServiceGroup
    private let running: Task<Void, any Error>
    private let log: RecordingSink

    /// Starts the server and returns once it accepts requests. Throws the server's error if it ends before.
    ///
    /// - Parameter arguments: of `graphd serve`, without the command's name. The environment is not read.
    init(_ arguments: [String]) async throws {
        // Without the watchdog: a pool that stands still for a minute on a busy machine must not end all tests.
        let options = try ServeCommand.parse(arguments + ["--watchdog", "off"]).options
        let configuration = try options.configuration([:])
        let log = RecordingSink()
        let logger = Logger(label: "graphd") { label in
            LineLogHandler(label: label, level: configuration.logLevel, format: configuration.logFormat, sink: log)
        }
        let server = GraphServer(
            configuration: configuration, metrics: PrometheusRegistry(), logger: logger, signals: .none)
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: Serving(server: server, listening: listening), serviceName: "graphd")],
                logger: .silent))
        // Owner: `stop()`, which waits for its end.
        let running = Task {
            defer { listening.finish() }
            try await group.run()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            try await running.value
            throw CancellationError()
        }
        (self.group, self.running, self.log, self.port) = (group, running, log, port)
    }

    /// Log lines of the server.
    var lines: [String] { log.lines.map { String($0.dropLast()) } }

    /// Shuts the server down as SIGTERM does, and returns after its end. Throws the error that it ended with.
    func stop() async throws {
        await group.triggerGracefulShutdown()
        try await running.value
    }
}

/// The server as a service of a group, because a group can be shut down.
private struct Serving: Service {
    let server: GraphServer
    let listening: AsyncStream<Int>.Continuation

    func run() async throws {
        try await server.run { listening.yield($0) }
    }
}
