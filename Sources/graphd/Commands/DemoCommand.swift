import ArgumentParser
import CommandSupport
import Database
import Foundation
import GraphAssembly
import GraphServices
import Logging
import PostgreSQL
import Sessions
import SocialGraph

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Serve a generated sample network, and print commands to try.",
        discussion: """
            Creates a network of 2,000 users with follows, posts, reshares and communities if the data directory is \
            new (the same for the same seed), then serves it like 'graphd serve'.

            Example:
              graphd demo --data-dir data
            """
    )

    @OptionGroup var options: ServeOptions

    @Option(help: "Seed of the generated network.")
    var seed: UInt64 = 1

    func run() async throws {
        var server = try options.bootstrap(defaults: [.logFormat: "text", .logLevel: "warning"])
        let configuration = server.configuration
        let directory = try DataDirectory.create(at: configuration.dataDirectory, server: configuration.database)
        if let server = directory.server {
            try await fill(server, of: directory)
        } else if directory.isNew {
            report("Creating a sample network in \(directory.path) ...")
            try await makeNetwork(in: directory)
        }
        let invitation = try await invitation(directory, configuration)
        // Ends when its terminal is closed.
        server.signals = .terminal
        try await server.run { port in report(invitation(port)) }
    }

    /// Written under a temporary name until it is complete: an interrupted network is made again.
    private func makeNetwork(in directory: DataDirectory) async throws {
        let partial = directory.database + ".partial"
        let files = [partial, partial + "-wal", partial + "-shm"]
        for leftover in files { try? FileManager.default.removeItem(atPath: leftover) }
        let database = try SQLiteDatabase(path: partial, purpose: .bulkWrites)
        try await SampleNetwork(seed: seed).write(into: GraphStore(database: database))
        try database.close()
        try FileManager.default.moveItem(atPath: partial, toPath: directory.database)
        for leftover in files { try? FileManager.default.removeItem(atPath: leftover) }
    }

    /// Writes the network into an empty database of a server. A setting tells whether it is complete.
    private func fill(_ server: DatabaseServer, of directory: DataDirectory) async throws {
        let database = try directory.openDatabase(for: .bulkWrites)
        let graph = GraphStore(database: database)
        let setting = "sample_network"
        if try await graph.accounts.mostFollowed(limit: 1).isEmpty {
            report("Creating a sample network in the database \(server.address) ...")
            try await graph.settings.store("incomplete", as: setting)
            try await SampleNetwork(seed: seed).write(into: graph)
            try await graph.settings.store("complete", as: setting)
        } else if try await graph.settings.setting(setting) == "incomplete" {
            throw CommandFailure(
                "The sample network in the database \(server.address) is incomplete, because its creation was "
                    + "interrupted. Drop the database, create it again, and start again.")
        }
        try database.close()
    }

    /// Returns requests that work as printed.
    private func invitation(
        _ directory: DataDirectory, _ configuration: ServerConfiguration
    ) async throws -> @Sendable (Int) -> String {
        let graph = try directory.openGraph()
        let tokens = TokenIssuer(keys: try await TokenKeys(in: directory.tokenKeys(of: graph)))
        let people = try await graph.accounts.mostFollowed(limit: 2)
        guard let reader = people.last, let hub = people.first else { return { _ in "The network is empty." } }
        let epoch = try await graph.accounts.tokenEpoch(reader.id) ?? 0
        let token = try await tokens.issue(
            userID: reader.id.rawValue, epoch: Int(epoch), lifetime: configuration.tokenLifetime
        ).token
        let (host, program) = (configuration.host, CommandLine.arguments[0])
        let storage = Self.storage(of: directory)
        return { port in
            let base = "http://\(host):\(port)"
            return """

                graphd serves a sample network on \(base). You are \(reader.username). Try:

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/timelines/home?limit=3&explain=true'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/notifications?limit=3'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/timelines/trending?limit=3'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/search/posts?q=warm-up&sort=popularity&limit=3'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/timelines/for-you?limit=3&explain=true'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/fitstream/videos?workoutType=yoga&limit=3'

                curl -s -H 'Authorization: Bearer \(token)' '\(base)/v1/users/by-username/\(hub.username)'

                curl -s -H 'Authorization: Bearer \(token)' -H 'Content-Type: application/json' \
                -d '{"caption":"Hello","mediaUrl":"https://media.example/hello.mp4","algorithmTags":["AI"]}' \
                '\(base)/v1/posts'

                To moderate, make yourself an admin; then use commands, or sign in at \(base)/console with the token:

                \(program) user role \(reader.username) admin --reason 'first admin' \(storage.options)

                \(program) user suspend \(hub.username) --reason spam --for 7d --server \(base) --token \(token)

                Stop with Ctrl-C; the data stays in \(storage.places).
                """
        }
    }

    /// Returns the options by which commands find the data, and the places of the data. An address with a password is
    /// left to the environment.
    static func storage(of directory: DataDirectory) -> (options: String, places: String) {
        let options = "--data-dir \(directory.path)"
        guard let address = directory.server?.address else { return (options, directory.path) }
        let places = "\(directory.path) and in the database \(address)"
        if address.hasPassword { return ("\(options)  # with \(DatabaseServer.environmentVariable) set", places) }
        return ("\(options) --database '\(address.withoutPassword)'", places)
    }

    /// Printed at once, even if standard output is a pipe.
    private func report(_ text: String) {
        print(text)
        fflush(nil)
    }
}
