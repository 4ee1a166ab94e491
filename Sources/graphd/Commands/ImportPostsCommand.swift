import ArgumentParser
import Audit
import CommandSupport
import Database
import SocialGraph

extension CreationFormat: ExpressibleByArgument {}

struct ImportPostsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "posts",
        abstract: "Import posts.",
        discussion: """
            FILE holds comma-separated values (RFC 4180) whose first line names the columns; options map \
            columns to fields. Importing a file again publishes its posts again, because rows have no unique key.

            Imported posts keep their date, but timelines list them by the time of the import. With --created they are \
            imported in the order of their dates; with --created or --strict all posts are held in memory.

            The first \(PostImport.pushedPosts) posts are pushed to timelines like published ones. If there are more, \
            all windows are evicted, and rebuilt when they are read.

            Malformed rows (an unknown author, an empty or too long caption, more than \
            \(SocialGraphLimits.tagsPerPost) tags, an invalid URL or date) are reported on standard error with their \
            line number, the first \(MalformedLines.shown) in full. The other rows are imported; with --strict, \
            nothing is imported.

            Example:
              graphd import posts posts.csv --created created_at --created-format rfc3339
              graphd import posts videos.csv --author channel --authors-by-rank --caption title --media url \\
                --category category_id --category-names 10=Music,24=Entertainment --tags tags --fit

            Exit status: 0 all rows were imported, 1 some were malformed or the import failed, 64 wrong usage.
            """)

    @OptionGroup var directory: DataDirectoryOptions
    @OptionGroup var columns: PostColumnOptions

    @Option(help: ArgumentHelp("File of value,username lines that maps authors to users.", valueName: "file"))
    var authorMap: String?

    @Flag(help: "Map authors, in order of appearance, to the most followed users.")
    var authorsByRank = false

    @Flag(help: "Cut texts that are too long and drop surplus tags instead of rejecting the row.")
    var fit = false

    @Flag(help: "Import nothing if any row is malformed.")
    var strict = false

    @Flag(help: "Print the result as one JSON object.")
    var json = false

    @Argument(help: "Input file, or - for standard input.")
    var file: String

    func validate() throws {
        if authorsByRank, authorMap != nil {
            throw ValidationError("Give --authors-by-rank or --author-map, not both.")
        }
    }

    func run() async throws {
        let input = try InputFile(path: file)
        let names = try columns.categoryNames.map(NameTable.categories) ?? [:]
        let mapping: AuthorMapping =
            if let authorMap {
                .map(try NameTable.read(path: authorMap, heading: ("value", "username")))
            } else {
                authorsByRank ? .rank : .usernames
            }
        let graph = try directory.openOrCreate()
        let work = PostImport(
            graph: graph, columns: columns.columns, tagsSeparator: columns.tagsSeparator,
            creation: columns.creation, categoryNames: names, authors: mapping, fits: fit, strict: strict,
            beginning: AuditNote(.postsImportStarted, by: .machineUser))
        let summary = try await work.run(input)
        if summary.posts > 0 {
            try await graph.database.analyze()
            try await graph.audit.append([
                AuditNote(.postsImported, by: .machineUser, detail: "posts: \(summary.posts)")
            ])
        }
        summary.malformed.report()
        if strict, summary.malformed.count > 0 { StandardError.print("nothing was imported because of --strict") }
        print(OutputRendering.render(Self.output(summary), json: json))
        if summary.malformed.count > 0 { throw ExitCode(1) }
    }

    static func output(_ summary: PostImport.Summary) -> CommandOutput {
        CommandOutput([
            .init("postsAdded", "posts added", .count(summary.posts)),
            .init("authors", "authors", .count(summary.authors)),
            .init("textsCut", "texts cut", .count(summary.textsCut)),
            .init("tagsDropped", "tags dropped", .count(summary.tagsDropped)),
            .init("malformed", "malformed rows", .count(summary.malformed.count)),
        ])
    }
}
