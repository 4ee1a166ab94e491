import ArgumentParser
import Backup
import CommandSupport
import Timeline

struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Move a graph between SQLite and PostgreSQL.",
        subcommands: [DatabaseCopyCommand.self])
}

struct DatabaseCopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a graph from one database to another, and verify the copy.",
        discussion: """
            FROM and TO are each a data directory, whose file graph.db is meant, or the address of a PostgreSQL \
            database without a password (see passfile= and PGPASSFILE). TO must be empty; in a data directory, \
            graph.db must not exist. Stop the server first: nothing may write to FROM meanwhile, and it is not \
            changed. Media and keys stay in the data directory; copy them if TO is to be served elsewhere.

            Every table is compared by its digest, and every timeline of the copy is built and compared with its \
            definition. An interrupted copy continues where it was when the same command is given again; until then \
            nobody can serve it.

            Example:
              graphd database copy /var/lib/graphd postgres://graphd@db.example/graphd?passfile=/etc/graphd/pgpass
              graphd database copy postgres://graphd@db.example/graphd /var/lib/graphd

            Exit status: 0 the copy is complete and verified, 1 failure, 64 wrong usage.
            """)

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Database to copy.", valueName: "from"))
    var source: String

    @Argument(help: ArgumentHelp("Empty database that becomes the copy.", valueName: "to"))
    var target: String

    func run() async throws {
        let (from, to) = (try CopyPlace(parsing: source), try CopyPlace(parsing: target))
        let source = try await OpenCopyPlace.source(from)
        let summary = try await source.use(isComplete: false) {
            let target = try await OpenCopyPlace.target(to)
            return try await target.use(isComplete: true) {
                try await DatabaseCopy(
                    from: source.database, to: target.database, names: (source.name, target.name)
                ).run()
            }
        }
        print(OutputRendering.render(Self.output(summary), json: json))
    }

    static func output(_ summary: CopySummary) -> CommandOutput {
        CommandOutput([
            .init("tables", "tables", .count(summary.tables)),
            .init("rows", "rows", .count(summary.rows)),
            .init("timelines", "timelines verified", .count(summary.timelines.timelines)),
            .init("windows", "windows built", .count(summary.timelines.windows)),
            .init("entries", "entries", .count(summary.timelines.entries)),
        ])
    }
}
