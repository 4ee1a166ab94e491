import ArgumentParser

/// The columns of an imported file, and their formats.
struct PostColumnOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Who wrote the post.", valueName: "column"))
    var author = "author"

    @Option(help: ArgumentHelp("Its text.", valueName: "column"))
    var caption = "caption"

    @Option(help: ArgumentHelp("The URL of its picture or video.", valueName: "column"))
    var media = "media_url"

    @Option(help: ArgumentHelp("Its category, if any.", valueName: "column"))
    var category: String?

    @Option(
        help: ArgumentHelp(
            "Names of categories: id=name,id=name or a file of id,name. Others stay as they are.", valueName: "names"))
    var categoryNames: String?

    @Option(help: ArgumentHelp("Its algorithm tags, if any.", valueName: "column"))
    var tags: String?

    @Option(help: ArgumentHelp("What stands between tags.", valueName: "text"))
    var tagsSeparator = "|"

    @Option(help: ArgumentHelp("Its link, if any.", valueName: "column"))
    var link: String?

    @Option(help: ArgumentHelp("Its date; without one, posts are dated now.", valueName: "column"))
    var created: String?

    @Option(help: ArgumentHelp("How dates are written.", valueName: "format"))
    var createdFormat = CreationFormat.rfc3339

    @Option(help: ArgumentHelp("The year of dd.mm dates.", valueName: "year"))
    var createdYear: Int64?

    func validate() throws {
        guard (createdFormat == .dayMonth) == (createdYear != nil) else {
            throw ValidationError("--created-format dd.mm needs --created-year, and no other format takes one.")
        }
        if let createdYear, !(1970...9999).contains(createdYear) {
            throw ValidationError("--created-year takes a year from 1970 to 9999.")
        }
        if tagsSeparator.isEmpty { throw ValidationError("--tags-separator must not be empty.") }
    }

    var columns: PostColumns {
        PostColumns(
            author: author, caption: caption, media: media, category: category, tags: tags, link: link, created: created
        )
    }

    var creation: CreationDate? { created.map { _ in CreationDate(format: createdFormat, year: createdYear) } }
}
