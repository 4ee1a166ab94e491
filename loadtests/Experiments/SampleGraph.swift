import Foundation
import GraphdClient

/// Small graphs of a known shape, written as files for `graphd import`.
enum SampleGraph {
    /// Writes `authors` users (`a1`…), each followed by all of `followers` users (`f1`…).
    static func writeFollows(authors: Int, followers: Int, to path: String) throws {
        var text = "follower,followee\n"
        for follower in 1...followers {
            for author in 1...authors { text += "f\(follower),a\(author)\n" }
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Writes `authors` users (`a1`…), each followed by `followers` users of their own (`f1.1`…).
    static func writeSeparateFollows(authors: Int, followers: Int, to path: String) throws {
        var text = "follower,followee\n"
        for author in 1...authors {
            for follower in 1...followers { text += "f\(author).\(follower),a\(author)\n" }
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    static let tags = ["AI", "Fitness", "Comedy", "Cooking", "Travel", "Music", "Chess", "Gardens"]

    /// Returns one of ``tags`` in turn, and one that all posts have.
    static func variedTags(_ number: Int) -> [String] { [tags[number % tags.count], "Video"] }

    /// Writes `count` posts by the authors in turn.
    static func writePosts(authors: Int, count: Int, to path: String) throws {
        try writePosts(by: (0..<count).map { "a\($0 % authors + 1)" }, to: path)
    }

    /// Writes a post by each of `authors`. `tags` returns those of a post by its number.
    static func writePosts(
        by authors: [String], to path: String, tags: (Int) -> [String] = { _ in ["AI", "Fitness"] }
    ) throws {
        var text = "author,caption,media,category,tags\n"
        for (number, author) in authors.enumerated() {
            let tags = tags(number).joined(separator: "|")
            text += "\(author),\(caption(number)),\(media(number)),comedy,\(tags)\n"
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Returns a post like those in the files.
    static func draft(_ number: Int) -> NewPost {
        NewPost(
            caption: caption(number), mediaUrl: media(number), category: "comedy", algorithmTags: ["AI", "Fitness"])
    }

    /// Returns the same post as the body of a request.
    static func draftBody(_ number: Int) -> String {
        """
        {"caption":"\(caption(number))","mediaUrl":"\(media(number))","category":"comedy",\
        "algorithmTags":["AI","Fitness"]}
        """
    }

    private static func caption(_ number: Int) -> String {
        "A post of about the length that captions of short videos have: number \(number)"
    }

    private static func media(_ number: Int) -> String { "https://media.example/\(number).mp4" }

    static let postColumns = [
        "--author", "author", "--caption", "caption", "--media", "media", "--category", "category", "--tags", "tags",
        "--tags-separator", "|",
    ]
}
