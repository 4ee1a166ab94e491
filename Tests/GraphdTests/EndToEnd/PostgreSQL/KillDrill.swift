import Foundation
import Glibc
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

/// Kills graphd, a backend of its database or the postmaster at random instants under load. Its files stay in one
/// directory, so that a drill that was interrupted goes on where it was.
struct KillDrill {
    enum Victim: String, CaseIterable { case graphd, backend, postmaster }

    /// Kills between two looks at everything that was acknowledged.
    private static let killsBetweenChecks = 25

    private let directory: String
    private let clients: Int
    private var log: LineFile { LineFile(path: directory + "/kills") }

    /// - Parameter directory: holds the database, the data directory, the acknowledgements and a line for each kill.
    init(in directory: String, clients: Int = 8) throws {
        self.directory = directory
        self.clients = clients
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    /// The victims of all runs.
    var kills: [Victim] { log.lines.compactMap { Victim(rawValue: String($0)) } }

    /// Goes on until there have been `total` kills. Everything that was acknowledged is then there, nothing twice, and
    /// all timelines are exact.
    func run(until total: Int) async throws {
        var setup = PostgreSQLServer.Setup()
        setup.directory = directory + "/postgresql"
        let server = try PostgreSQLServer(setup)
        try await server.start()
        let result: Result<Void, any Error>
        do { result = .success(try await run(until: total, on: server)) } catch { result = .failure(error) }
        await server.kill()
        try result.get()
    }

    private func run(until total: Int, on server: PostgreSQLServer) async throws {
        let exists = try await server.execute("SELECT datname::text FROM pg_database WHERE datname = 'drill'")
        if exists.isEmpty { try await server.execute("CREATE DATABASE drill") }
        let storage = GraphdServer.Storage(database: server.url(of: "drill"), directory: directory + "/data")
        try await GraphdServer.prepared(in: .process, on: storage) { graphd in
            try await Self.endLeftover(graphd.directory)
            try await graphd.start()
            let people = try await people(graphd)
            let history = PublishingHistory(file: LineFile(path: directory + "/acknowledged"))
            var generator = SystemRandomNumberGenerator()
            while kills.count < total {
                let load = PublishingLoad(graphd, people, history, name: "run\(kills.count)")
                let goal = min(total, kills.count + Self.killsBetweenChecks)
                try await load.run {
                    while kills.count < goal { try await kill(under: load, server, &generator) }
                }
                try await history.check(graphd)
                try await graphd.waitForJobs()
                try await graphd.expectCleanTimelines()
            }
        }
    }

    /// Ends a graphd that has outlived an interrupted drill.
    private static func endLeftover(_ directory: DataDirectory) async throws {
        guard let leftover = ServingProcess(directory) else { return }
        Glibc.kill(pid_t(leftover.pid), SIGKILL)
        while directory.isBeingServed {
            // Not for synchronisation: it is not a child of this process, so it cannot be waited for.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// The clients, who follow one another.
    private func people(_ graphd: GraphdServer) async throws -> [Person] {
        var people: [Person] = []
        for number in 1...clients {
            if let account = try await graphd.graph.accounts.account(username: "user.\(number)") {
                people.append(try await graphd.person(account))
            } else {
                people.append(try await graphd.person())
            }
        }
        for follower in people {
            for author in people where author != follower {
                let answer = try await graphd.client(follower).put(author.path + "/follow")
                guard (200..<300).contains(answer.status) else { throw UnexpectedAnswer(answer) }
            }
        }
        return people
    }

    private func kill(
        under load: PublishingLoad, _ server: PostgreSQLServer, _ generator: inout SystemRandomNumberGenerator
    ) async throws {
        try await load.progress(by: .random(in: 0...12, using: &generator))
        // Not for synchronisation: it picks the instant of the fault.
        try await Task.sleep(for: .microseconds(Int64.random(in: 0...30_000, using: &generator)))
        let victim = Victim.allCases.randomElement(using: &generator) ?? .graphd
        switch victim {
        case .graphd:
            await load.server.kill()
            try await load.server.start()
        case .backend:
            guard await server.killBackend(of: "drill", using: &generator) else { return }
        case .postmaster: try await server.restart()
        }
        try log.append(victim.rawValue)
    }
}

/// Kills of all three kinds. `GRAPHD_KILL_DRILL=DIRECTORY` keeps the drill there, and goes on with one that is there;
/// `GRAPHD_KILLS` says how many kills there are in all.
@Suite(.serialized, .timeLimit(.model))
struct KillDrillTests {
    @Test func `killed processes lose, repeat and reorder nothing`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["GRAPHD_KILLS"].flatMap { Int($0) } ?? 18
        if let kept = environment["GRAPHD_KILL_DRILL"] { return try await KillDrill(in: kept).run(until: kills) }
        let directory = try PostgreSQLServer.makeDirectory("drill")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await KillDrill(in: directory).run(until: kills)
    }
}
