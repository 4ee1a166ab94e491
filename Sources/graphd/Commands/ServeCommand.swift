import ArgumentParser
import Foundation
import Logging
import Metrics

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the HTTP API on one data directory.",
        discussion: """
            Without options, it serves ./data on 127.0.0.1:8080 with a private redis-server. Every option can also be \
            set by an environment variable (GRAPHD_DATA_DIR, GRAPHD_PORT, …) or in the JSON file given by --config.

            Example:
              graphd serve --data-dir /var/lib/graphd --port 8080
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let server = try options.bootstrap()
        try await server.run { port in
            server.logger.info("listening", metadata: ["host": "\(server.configuration.host)", "port": "\(port)"])
        }
    }
}
