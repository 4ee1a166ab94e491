import ArgumentParser
import Backup
import CommandSupport
import MediaFiles
import SocialGraph

struct MediaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media", abstract: "Move uploaded files between a data directory and an S3 service.",
        subcommands: [MediaCopyCommand.self])
}

struct MediaCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the files of a graph from one place to another, and verify the copy.",
        discussion: """
            FROM and TO are each a data directory, whose directory media is meant, or a bucket \
            (s3://bucket[/prefix]?endpoint=…, with its keys in the environment as for 'graphd serve --media'). The \
            rows of the graph say which files there are, and their digests.

            A server may run meanwhile. Files that are at TO already are skipped, so give the command again after an \
            interruption, and a last time after the server was stopped, before it is started with the new --media. \
            Nothing is removed from FROM.

            Example:
              graphd media copy /var/lib/graphd 's3://media?endpoint=http://127.0.0.1:9000' --data-dir /var/lib/graphd

            Exit status: 0 all files are at TO, 1 failure, 2 files are missing or damaged at FROM, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Do not read each copied file again from TO; the service has compared its digest.")
    var trustService = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Place that has the files.", valueName: "from"))
    var source: String

    @Argument(help: ArgumentHelp("Place that receives them.", valueName: "to"))
    var target: String

    func run() async throws {
        let (from, to) = (try MediaEnd(parsing: source), try MediaEnd(parsing: target))
        guard from != to else { throw CommandFailure("FROM and TO are the same place.") }
        let data = try directory.existing()
        let graph = try data.openGraph()
        let folder = if case .directory(let path) = to { path } else { data.media }
        let summary = try await copy(graph, from, to, folder: folder)
        print(OutputRendering.render(Self.output(summary), json: json))
        guard summary.missing.isEmpty else {
            let names = summary.missing.prefix(20).map(TerminalText.safe).joined(separator: ", ")
            StandardError.print("Missing or damaged at FROM: \(names)")
            throw ExitCode(2)
        }
    }

    private func copy(
        _ graph: GraphStore, _ from: MediaEnd, _ to: MediaEnd, folder: String
    ) async throws -> MediaCopy.Summary {
        do {
            return try await MediaCopy(
                of: graph, from: try await from.open(for: graph, isTarget: false),
                to: try await to.open(for: graph, isTarget: true),
                folder: "\(folder)/copying", readsBack: !trustService
            ).run()
        } catch let failure as any StorageFailure {
            throw CommandFailure("\(failure). Give the command again to go on.")
        }
    }

    static func output(_ summary: MediaCopy.Summary) -> CommandOutput {
        CommandOutput([
            .init("copied", "files copied", .integer(summary.copied)),
            .init("copiedBytes", "bytes copied", .integer(summary.copiedBytes)),
            .init("present", "files present before", .integer(summary.present)),
            .init("missing", "files missing or damaged", .integer(Int64(summary.missing.count))),
        ])
    }
}
