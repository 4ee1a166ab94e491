import ArgumentParser
import Foundation
import Logging
import Metrics

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the HTTP API of one data directory.",
        discussion: """
            Without any flag it serves ./data on 127.0.0.1:8080 with a private redis-server of its own. Every flag \
            can also be given as an environment variable (GRAPHD_DATA_DIR, GRAPHD_PORT, …) or in a JSON file named \
            by --config.

            Example:
              graphd serve --data-dir /var/lib/graphd --port 8080
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let (configuration, logger, metrics) = try options.bootstrap()
        try await GraphServer(configuration: configuration, metrics: metrics, logger: logger).run { port in
            logger.info("listening", metadata: ["host": "\(configuration.host)", "port": "\(port)"])
        }
    }
}
