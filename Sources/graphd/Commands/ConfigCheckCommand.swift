import ArgumentParser
import CommandSupport
import Foundation

struct ConfigCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the settings of a server without starting it.",
        discussion: """
            Reads flags, environment and configuration file like 'graphd serve', and the certificates and keys that \
            they name. Prints the settings in force with their sources (flag, environment, file or default); values \
            that may hold a password are hidden. The data directory is not touched.

            Example:
              graphd config check --config /etc/graphd/graphd.json

            Exit status: 0 if a server would accept the settings, 1 if not, 64 wrong usage.
            """)

    @OptionGroup var options: ServeOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let report = try await ConfigurationReport(try options.sources(environment))
        if json {
            print(String(decoding: report.json, as: UTF8.self))
        } else {
            for line in try report.lines(on: .standard()) { print(line) }
        }
        guard !report.problems.isEmpty else { return }
        for problem in report.problems where !json { StandardError.print("Error: \(problem)") }
        throw ExitCode.failure
    }
}
