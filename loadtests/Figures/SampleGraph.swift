import Foundation

/// Small graphs of a known shape, written as files that `graphd import` reads.
enum SampleGraph {
    /// `authors` users (`a1`…), each followed by all of `followers` users (`f1`…).
    static func writeFollows(authors: Int, followers: Int, to path: String) throws {
        var text = "follower,followee\n"
        for follower in 1...followers {
            for author in 1...authors { text += "f\(follower),a\(author)\n" }
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// `count` posts by the authors in turn.
    static func writePosts(authors: Int, count: Int, to path: String) throws {
        var text = "author,caption,media,category,tags\n"
        for number in 0..<count {
            let caption = "A post of about the length that captions of short videos have: number \(number)"
            text += "a\(number % authors + 1),\(caption),https://media.example/\(number).mp4,comedy,AI|Fitness\n"
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    static let postColumns = [
        "--author", "author", "--caption", "caption", "--media", "media", "--category", "category", "--tags", "tags",
        "--tags-separator", "|",
    ]
}
