import GraphServices
import SocialGraph
import Text

/// A row as a post whose author is still a text from the file.
struct PostDraft: Sendable, Equatable {
    var authorValue: String
    var caption: String
    var mediaURL: String
    var category: String?
    var tags: [String] = []
    var link: String?
    var created: Int64?
    /// Texts truncated and tags removed to make it fit.
    var textsCut = 0
    var tagsDropped = 0
}

/// Turns the fields of a row into a draft within the limits of a post.
struct PostRowParser: Sendable {
    let places: PostColumns.Places
    var tagsSeparator = "|"
    var creation: CreationDate?
    /// Names of category values; unknown values stay unchanged.
    var categoryNames: [String: String] = [:]
    /// True if long texts are truncated and surplus tags removed, instead of refusing the row.
    var fits = false

    func draft(_ fields: [String]) -> Result<PostDraft, LineProblem> {
        do {
            return .success(try read(fields))
        } catch {
            return .failure((error as? LineProblem) ?? LineProblem("\(error)"))
        }
    }

    private func read(_ fields: [String]) throws -> PostDraft {
        guard fields.count == places.count else {
            throw LineProblem(
                "it has \(fields.count) \(fields.count == 1 ? "column" : "columns")", "the header has \(places.count)")
        }
        var draft = PostDraft(
            authorValue: fields[places.author], caption: "", mediaURL: try url(fields[places.media], "media URL"))
        guard !draft.authorValue.isEmpty else { throw LineProblem("the author is empty", "every post must have one") }
        draft.caption = try text(
            fields[places.caption], "caption", limit: SocialGraphLimits.captionLength, cut: &draft.textsCut)
        if let place = places.category, !fields[place].isEmpty {
            draft.category = try text(
                categoryNames[fields[place]] ?? fields[place], "category", limit: SocialGraphLimits.categoryLength,
                cut: &draft.textsCut)
        }
        if let place = places.link, !fields[place].isEmpty { draft.link = try url(fields[place], "link") }
        if let place = places.tags { try addTags(fields[place], to: &draft) }
        if let place = places.created, let creation { draft.created = try creation.milliseconds(fields[place]) }
        return draft
    }

    private func addTags(_ field: String, to draft: inout PostDraft) throws {
        let tags = tagsSeparator.isEmpty ? [field[...]] : field.split(separator: tagsSeparator)
        for tag in tags where !tag.allSatisfy(\.isWhitespace) {
            draft.tags.append(
                try text(String(tag), "tag", limit: SocialGraphLimits.tagLength, cut: &draft.textsCut))
        }
        let surplus = draft.tags.count - SocialGraphLimits.tagsPerPost
        guard surplus > 0 else { return }
        guard fits else {
            throw LineProblem(
                "it has \(draft.tags.count) tags",
                "at most \(SocialGraphLimits.tagsPerPost) are allowed; --fit drops the rest")
        }
        draft.tags.removeLast(surplus)
        draft.tagsDropped = surplus
    }

    private func text(_ text: String, _ name: String, limit: Int, cut: inout Int) throws -> String {
        guard !text.isEmpty else { throw LineProblem("the \(name) is empty", "1 to \(limit) characters are allowed") }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        guard fits else {
            throw LineProblem(
                "the \(name) has \(scalars.count) characters", "at most \(limit) are allowed; --fit cuts the rest")
        }
        cut += 1
        return String(scalars[..<end])
    }

    private func url(_ text: String, _ name: String) throws -> String {
        do {
            return try TextRules.url(text, field: name)
        } catch let problem as Problem {
            throw LineProblem("\"\(text.echoed)\" is not a URL", problem.detail)
        }
    }
}
