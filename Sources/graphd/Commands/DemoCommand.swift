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
        abstract: "Serve a generated sample network with a demo page, and print commands to try.",
        discussion: """
            Creates a network of 2,000 users with follows, posts, reshares and communities if the data directory is \
            new (the same for the same seed, up to today), then serves it like 'graphd serve'. The demo page is at \
            /demo; the command prints the e-mail address and the password of a user to sign in as.

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
        let host = configuration.host
        try await server.run { port in
            report(invitation?.text(at: "http://\(host):\(port)") ?? "The network is empty.")
        }
    }

    /// Written under a temporary name until it is complete: an interrupted network is made again.
    private func makeNetwork(in directory: DataDirectory) async throws {
        let partial = directory.database + ".partial"
        let files = [partial, partial + "-wal", partial + "-shm"]
        for leftover in files { try? FileManager.default.removeItem(atPath: leftover) }
        let database = try SQLiteDatabase(path: partial, purpose: .bulkWrites)
        try await SampleNetwork(seed: seed).create(in: GraphStore(database: database))
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
            try await SampleNetwork(seed: seed).create(in: graph)
            try await graph.settings.store("complete", as: setting)
        } else if try await graph.settings.setting(setting) == "incomplete" {
            throw CommandFailure(
                "The sample network in the database \(server.address) is incomplete, because its creation was "
                    + "interrupted. Drop the database, create it again, and start again.")
        }
        try database.close()
    }

    /// Returns nil if the network is empty.
    private func invitation(
        _ directory: DataDirectory, _ configuration: ServerConfiguration
    ) async throws -> DemoInvitation? {
        let graph = try directory.openGraph()
        let tokens = TokenIssuer(keys: try await TokenKeys(in: directory.tokenKeys(of: graph)))
        let people = try await graph.accounts.mostFollowed(limit: 2)
        guard let reader = people.last, let hub = people.first else { return nil }
        let epoch = try await graph.accounts.tokenEpoch(reader.id) ?? 0
        let token = try await tokens.issue(
            userID: reader.id.rawValue, epoch: Int(epoch), lifetime: configuration.tokenLifetime
        ).token
        return DemoInvitation(
            reader: reader.username, hub: hub.username, token: token,
            signIn: try await SampleSignIn.stored(in: graph), program: CommandLine.arguments[0],
            storage: Self.storage(of: directory))
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
