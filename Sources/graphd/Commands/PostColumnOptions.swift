import ArgumentParser

/// The columns of an imported file, and their formats.
struct PostColumnOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Column of the author.", valueName: "column"))
    var author = "author"

    @Option(help: ArgumentHelp("Column of the caption.", valueName: "column"))
    var caption = "caption"

    @Option(help: ArgumentHelp("Column of the URL of the picture or video.", valueName: "column"))
    var media = "media_url"

    @Option(
        help: ArgumentHelp(
            "Column of the category. (default: category, if there is one)", valueName: "column"))
    var category: String?

    @Option(
        help: ArgumentHelp(
            "Names of categories: id=name,id=name, or a file of id,name lines. Others are kept.", valueName: "names"))
    var categoryNames: String?

    @Option(
        help: ArgumentHelp(
            "Column of the algorithm tags. (default: tags or algorithmTags, if there is one)", valueName: "column"))
    var tags: String?

    @Option(help: ArgumentHelp("Separator between tags.", valueName: "text"))
    var tagsSeparator = "|"

    @Option(help: ArgumentHelp("Column of the link.", valueName: "column"))
    var link: String?

    @Option(help: ArgumentHelp("Column of the creation date. (default: the time of the import)", valueName: "column"))
    var created: String?

    @Option(help: ArgumentHelp("Format of the dates.", valueName: "format"))
    var createdFormat = CreationFormat.rfc3339

    @Option(help: ArgumentHelp("Year for dd.mm dates.", valueName: "year"))
    var createdYear: Int64?

    func validate() throws {
        guard (createdFormat == .dayMonth) == (createdYear != nil) else {
            throw ValidationError("--created-format dd.mm needs --created-year, and no other format takes one.")
        }
        if let createdYear, !(1970...9999).contains(createdYear) {
            throw ValidationError("--created-year must be from 1970 to 9999.")
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
