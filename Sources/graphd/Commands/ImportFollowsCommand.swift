import ArgumentParser
import Audit
import CommandSupport
import Database
import SocialGraph

struct ImportFollowsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follows",
        abstract: "Import follows. Users are created as needed.",
        discussion: """
            FILE holds comma-separated values with a header that names the columns follower and followee (in any \
            order, among others), or two names per line without a header: follower, white space, followee. \
            Blank lines and lines that start with # are skipped. A name is a username; a number such as 17 becomes the \
            username u17. Importing a file again changes nothing.

            Malformed lines are reported on standard error with their number, the first \(MalformedLines.shown) in \
            full. The other lines are imported; with --strict, nothing is imported.

            Example:
              graphd import follows follows.csv
              zcat follows.csv.gz | graphd import follows --strict -

            Exit status: 0 all lines were imported, 1 some were malformed or the import failed, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Flag(help: "Import nothing if any line is malformed.")
    var strict = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: "Input file, or - for standard input.")
    var file: String

    func run() async throws {
        let input = try InputFile(path: file)
        let graph = try directory.openOrCreate()
        let batch =
            graph.database.isShared
            ? FollowImport.batchShared
            : try directory.named().isBeingServed ? FollowImport.batch : FollowImport.batchAlone
        let beginning = AuditNote(.followsImportStarted, by: .machineUser)
        let work = FollowImport(graph: graph, strict: strict, batchSize: batch, beginning: beginning)
        let summary = try await work.run(input)
        if summary.users + summary.follows > 0 {
            try await graph.database.analyze()
            let figures = "users: \(summary.users), follows: \(summary.follows)"
            try await graph.audit.append([AuditNote(.followsImported, by: .machineUser, detail: figures)])
        }
        summary.malformed.report()
        if strict, summary.malformed.count > 0 { StandardError.print("nothing was imported because of --strict") }
        print(OutputRendering.render(Self.output(summary), json: json))
        if summary.malformed.count > 0 { throw ExitCode(1) }
    }

    static func output(_ summary: FollowImport.Summary) -> CommandOutput {
        CommandOutput([
            .init("usersCreated", "users created", .count(summary.users)),
            .init("followsAdded", "follows added", .count(summary.follows)),
            .init("alreadyPresent", "already present or blocked", .count(summary.alreadyPresent)),
            .init("malformed", "malformed lines", .count(summary.malformed.count)),
        ])
    }
}
