import ArgumentParser
import CommandSupport
import StrictJSON

/// A command that asks a running server as a moderator.
protocol ModerationCommand: AsyncParsableCommand {
    var connection: ConnectionOptions { get }
    func run(on server: ModerationServer) async throws
}

extension ModerationCommand {
    func run() async throws {
        try await MessageOnFailure.run { try await run(on: ModerationServer.open(connection)) }
    }

    /// Prints JSON if that was asked for, else `lines`.
    func show(_ json: JSONValue, _ lines: (OutputChannel) -> [String]) {
        if connection.json {
            print(json.terminalText)
        } else {
            for line in lines(.standard()) { print(line) }
        }
    }
}

/// Failures become a line on standard error and the exit status that is documented for them.
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
    /// Of a moderation command, whose examples and exit status stand in its help.
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

    /// Of a noun that commands are gathered under.
    static func moderationGroup(
        _ name: String, _ abstract: String, examples: [String], _ subcommands: [any ParsableCommand.Type]
    ) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract,
            discussion: "Example:\n" + examples.map { "  graphd \($0)" }.joined(separator: "\n"),
            subcommands: subcommands)
    }
}
