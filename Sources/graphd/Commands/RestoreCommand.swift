import ArgumentParser
import Backup
import CommandSupport
import Timeline

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a new data directory and verify it.",
        discussion: """
            Every file is compared with its digest, the database is checked row by row, and every home timeline is \
            built in a private redis-server and compared with the database. Only then does the directory get its name. \
            The database of an older version is brought up to date. The backup of a PostgreSQL database is restored \
            into an empty one (--database), by pg_restore.

            Example:
              graphd restore /mnt/backups/2026-11-25 --data-dir /var/lib/graphd-restored

            Exit status: 0 the directory is complete and verified, 1 failure (nothing is left at the data directory \
            and in the database), 64 wrong usage.
            """)

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp("New data directory, absent or empty.", valueName: "directory"))
    var dataDirectory: String

    @Option(
        help: ArgumentHelp(
            "Empty PostgreSQL database for the backup of one, without a password. (default: "
                + "\(DatabaseServer.environmentVariable) of the environment)",
            valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "Bucket of no graph that receives the uploaded files: s3://bucket[/prefix]?endpoint=…, with its keys in "
                + "the environment. (default: the data directory)",
            valueName: "url"))
    var media: String?

    @Flag(
        help: ArgumentHelp(
            "Leave out the keys that sign tokens.",
            discussion: "For a copy beside its original: the server creates a key of its own, and neither accepts the "
                + "tokens of the other."))
    var newKeys = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("Directory that 'graphd backup' has written.", valueName: "src"))
    var source: String

    func run() async throws {
        var job = RestoreJob(from: source, to: dataDirectory, server: try DatabaseServer.named(database))
        job.keepsKeys = !newKeys
        job.bucket = try media.map { try MediaEnd.bucket(of: $0) }
        print(OutputRendering.render(Self.output(try await job.run()), json: json))
    }

    static func output(_ summary: RestoreSummary) -> CommandOutput {
        let (manifest, timelines) = (summary.manifest, summary.timelines)
        return CommandOutput([
            .init("dataDirectory", "data directory", .text(summary.destination)),
            .init("instant", "everything acknowledged before", .text(manifest.instant)),
            .init("files", "files", .integer(manifest.files)),
            .init("bytes", "bytes", .integer(manifest.bytes)),
            .init("media", "media files", .integer(manifest.media)),
            .init("missing", "media files missing", .integer(manifest.missing)),
            .init("timelines", "timelines verified", .count(timelines.timelines)),
            .init("windows", "windows built", .count(timelines.windows)),
            .init("entries", "entries", .count(timelines.entries)),
        ])
    }
}
