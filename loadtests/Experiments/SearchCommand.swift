import ArgumentParser
import Foundation
import Glibc

/// The cost of a search: first pages of 20 by words, rare and common, compared with the newest public posts.
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "First pages of searches, warm, against a public timeline (needs wrk).",
        discussion: """
            The words of captions are Zipf-distributed: `word1` is in most posts, `word1000` in about one of two \
            thousand. A beginning is one of one letter, with which all words begin.

            Example:
              loadtests search --graphd .build/release/graphd --posts 100000
            """)

    @Option(help: "Path of the graphd to measure.") var graphd: String
    @Option(help: "Posts.") var posts = 100_000
    @Option(help: "Distinct words.") var words = 20_000
    @Option(help: "Words of a caption.") var captionWords = 20
    @Option(help: "Authors.") var authors = 1_000
    @Option(help: "Seconds of one measurement.") var seconds = 3
    @Flag(help: "Print the result as one JSON object.") var json = false

    func run() async throws {
        let directory = try Scratch.directory("search")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let data = directory + "/data"
        try writePosts(to: directory + "/posts.csv")
        try SampleGraph.writeFollows(authors: authors, followers: 1, to: directory + "/follows.csv")
        try Program.run(graphd, ["import", "follows", directory + "/follows.csv", "--data-dir", data])
        let importing = try await Program.time {
            try Program.run(
                graphd,
                ["import", "posts", directory + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
        }
        Progress.say("imported \(Int(Double(posts) / importing.seconds)) posts a second")
        let server = try await Server(graphd: graphd, directory: data)
        defer { server.stop() }
        try await server.client.waitUntilOutboxIsEmpty(within: .seconds(1_800))
        let load = try PageLoad(tokens: [try server.token("a1")], script: directory + "/reader.lua")

        var table = FigureTable(
            "search", sizes: ["posts": posts, "words": words, "captionWords": captionWords, "authors": authors],
            columns: ["page", "p50_ms", "p99_ms", "p50ToPublicTimeline"])
        var limit: Double?
        for (name, path) in Self.pages {
            _ = try load.run(server.base + path, connections: 1, seconds: 1)
            let result = try load.run(server.base + path, connections: 1, seconds: seconds)
            limit = limit ?? result.p50
            table.add([
                .text(name), .decimal(result.p50, 3), .decimal(result.p99, 3),
                .decimal(result.p50 / (limit ?? result.p50), 2),
            ])
            Progress.say("\(name): \(result.p50) ms")
        }
        print(try table.rendered(json: json))
    }

    private static let pages = [
        ("public timeline", "/v1/timelines/public?limit=20"),
        ("rare word", "/v1/search/posts?q=word5000x"),
        ("two words", "/v1/search/posts?q=word200x+word50x"),
        ("usual word", "/v1/search/posts?q=word1000x"),
        ("common word", "/v1/search/posts?q=word1x"),
        ("common word, by recency", "/v1/search/posts?q=word1x&sort=recency"),
        ("common word, by popularity", "/v1/search/posts?q=word1x&sort=popularity"),
        ("common word, rare tag", "/v1/search/posts?q=word1x&algorithms=rare"),
        ("one letter", "/v1/search/posts?q=w"),
        ("author", "/v1/search/posts?q=a77+word1x"),
        ("slip of a letter", "/v1/search/posts?q=wrod5000x"),
        ("all, by popularity", "/v1/search/posts?sort=popularity"),
        ("rare tag", "/v1/search/posts?algorithms=rare"),
        ("people", "/v1/search/users?q=a77"),
    ]

    private func writePosts(to path: String) throws {
        var random = SeededGenerator(seed: 1)
        let harmonic = log(Double(words)) + 0.577
        var text = "author,caption,media,category,tags\n"
        for number in 0..<posts {
            let caption = (0..<captionWords).map { _ in
                // The inverse of the distribution, to within a word or so.
                let rank = exp(Double.random(in: 0..<1, using: &random) * harmonic - 0.577)
                return "word\(min(max(Int(rank.rounded()), 1), words))x"
            }
            let tags = number.isMultiple(of: 5_000) ? "AI|rare" : "AI"
            text += "a\(number % authors + 1),\(caption.joined(separator: " ")),"
            text += "https://media.example/\(number).mp4,comedy,\(tags)\n"
        }
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
