import ArgumentParser
import Backup
import CommandSupport

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a verified backup of a data directory into a new directory.",
        discussion: """
            A server may run meanwhile: the backup holds everything that was acknowledged before it began. Media on \
            the same file system are hard links, which take no space; they protect against mistakes, not against the \
            loss of the disk, so copy the backup elsewhere. It holds the keys that sign tokens: keep it as secret as \
            the data directory. A PostgreSQL database is saved by pg_dump.

            Example:
              graphd backup /mnt/backups/2026-11-25
              graphd backup /mnt/backups/$(date +%F) --data-dir /var/lib/graphd --json

            Exit status: 0 the backup is complete and verified, 1 failure (nothing is left at DEST), 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions

    @Option(
        help: ArgumentHelp(
            "Bucket that has the uploaded files: s3://bucket[/prefix]?endpoint=…, with its keys in the environment. "
                + "(default: GRAPHD_MEDIA of the environment, else the data directory)",
            valueName: "url"))
    var media: String?

    @Flag(help: "Copy media even where hard links are possible.")
    var copyMedia = false

    @Flag(
        help: ArgumentHelp(
            "Do not read linked media again.",
            discussion: "Their digests are then those of the database; a restore compares them."))
    var trustMedia = false

    @Flag(
        help: ArgumentHelp(
            "Leave out media that are missing or damaged in the data directory.",
            discussion: "Without it, one such file ends the backup."))
    var allowMissingMedia = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: ArgumentHelp("New directory for the backup.", valueName: "dest"))
    var destination: String

    func run() async throws {
        var job = BackupJob(of: try directory.existing(), to: destination)
        job.bucket = try MediaEnd.bucket(named: media)
        job.copiesMedia = copyMedia
        job.readsLinks = !trustMedia
        job.allowsMissingFiles = allowMissingMedia
        let summary = try await job.runOnThread()
        if let note = summary.note { StandardError.print(note) }
        if !summary.others.isEmpty {
            let names = summary.others.map(TerminalText.safe).joined(separator: ", ")
            StandardError.print("Not in the backup, because these files are not graphd's: \(names)")
        }
        print(OutputRendering.render(Self.output(summary), json: json))
    }

    static func output(_ summary: BackupSummary) -> CommandOutput {
        let manifest = summary.manifest
        return CommandOutput([
            .init("destination", "backup", .text(summary.destination)),
            .init("instant", "everything acknowledged before", .text(manifest.instant)),
            .init("files", "files", .integer(manifest.files)),
            .init("bytes", "bytes", .integer(manifest.bytes)),
            .init("media", "media files", .integer(manifest.media)),
            .init("linked", "of these hard links", .integer(summary.linked)),
            .init("missing", "media files missing", .integer(manifest.missing)),
            .init("timelines", "timelines", .integer(manifest.timelines)),
            .init("schema", "tables", .text(manifest.schema)),
        ])
    }
}
