import ArgumentParser
import CommandSupport
import StrictJSON

/// A command that sends requests to a running server as a moderator.
protocol ModerationCommand: AsyncParsableCommand {
    var connection: ConnectionOptions { get }
    func run(on server: ModerationServer) async throws
}

extension ModerationCommand {
    func run() async throws {
        try await MessageOnFailure.run { try await run(on: ModerationServer.open(connection)) }
    }

    /// Prints JSON if requested, otherwise `lines`.
    func show(_ json: JSONValue, _ lines: (OutputChannel) -> [String]) {
        if connection.json {
            print(json.terminalText)
        } else {
            for line in lines(.standard()) { print(line) }
        }
    }
}

/// Prints a failure as one line on standard error and exits with its documented status.
enum MessageOnFailure {
    static func run(_ body: () async throws -> Void) async throws {
        let failure: ModerationFailure
        do {
            return try await body()
        } catch let error as ModerationFailure {
            failure = error
        } catch let error as RequestFailure {
            failure = error.failure
        }
        StandardError.print("Error: \(TerminalText.safe(failure.message))")
        throw ExitCode(failure.status.rawValue)
    }
}

extension CommandConfiguration {
    /// The configuration of a moderation command, with examples and exit statuses in its help.
    static func moderation(
        _ name: String, _ abstract: String, _ more: String = "", examples: String...
    ) -> CommandConfiguration {
        let paragraphs = [
            more, "Example:\n" + examples.map { "  graphd \($0)" }.joined(separator: "\n"),
            CommandStatus.documentation,
        ]
        return CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: paragraphs.filter { !$0.isEmpty }.joined(separator: "\n\n"))
    }

    /// The configuration of a noun that groups commands.
    static func moderationGroup(
        _ name: String, _ abstract: String, examples: [String], _ subcommands: [any ParsableCommand.Type]
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: "Example:\n" + examples.map { "  graphd \($0)" }.joined(separator: "\n"),
            subcommands: subcommands)
    }
}
