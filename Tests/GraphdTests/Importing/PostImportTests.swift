import Database
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct PostImportTests {
    private static let header = "who,text,url,cat,tags,at"

    /// Imports `rows` with u1 followed by two users, u2 by one and u3 by none.
    private func run(
        _ rows: [String], authors: AuthorMapping = .usernames, fits: Bool = false, strict: Bool = false,
        dated: Bool = true, pushed: Int = 10_000,
        _ check: (GraphStore, PostImport.Summary) async throws -> Void
    ) async throws {
        try await withGraph { graph in
            _ = try await FollowImport.run("2 1\n3 1\n3 2\n", into: graph)
            let columns = PostColumns(
                author: "who", caption: "text", media: "url", category: "cat", tags: "tags", created: dated ? "at" : nil
            )
            let work = PostImport(
                graph: graph, columns: columns, creation: CreationDate(format: .unix, year: nil),
                categoryNames: ["10": "Music"], authors: authors, pushed: pushed, fits: fits, strict: strict,
                showsProgress: false)
            let text = ([Self.header] + rows).joined(separator: "\n")
            let summary = try await withFile(text) { file, _ in try await work.run(file) }
            try await check(graph, summary)
        }
    }

    private func captions(_ graph: GraphStore) async throws -> [String] {
        try await graph.database.read { reader in
            try reader.rows("SELECT caption FROM post ORDER BY id", []) { $0.text(0) }
        }
    }

    @Test
    func `posts are written with everything, the oldest first`() async throws {
        let rows = [
            "u1,second,https://m.example/2,10,a|B||a,200", "u2,first,https://m.example/1,Other,,100",
            "u1,third,https://m.example/3,,x,200",
        ]
        try await run(rows) { graph, summary in
            #expect(summary == PostImport.Summary(posts: 3, authors: 2))
            #expect(try await captions(graph) == ["first", "second", "third"])
            #expect(try await graph.integers("SELECT created_at FROM post ORDER BY id") == [100_000, 200_000, 200_000])
            let categories = try await graph.database.read { reader in
                try reader.rows("SELECT category FROM post ORDER BY id", []) { $0.optionalText(0) }
            }
            #expect(categories == ["Other", "Music", nil])
            let tags = try await graph.database.read { reader in
                try reader.rows("SELECT tag FROM post_tag ORDER BY post_id, ordinal", []) { $0.text(0) }
            }
            #expect(tags == ["a", "B", "x"])
            #expect(try await graph.outbox.outboxDepth().pending == 4)
        }
    }

    @Test(arguments: [true, false])
    func `of many posts the first are pushed, and for the rest all windows are dropped`(dated: Bool) async throws {
        let rows = (0..<2_500).map { "u1,post \($0),https://m.example/\($0),,,\($0)" }
        try await run(rows, dated: dated, pushed: 1_000) { graph, summary in
            #expect(summary.posts == 2_500)
            let jobs = try await graph.outbox.outboxJobs(above: nil, limit: 10_000).map(\.work)
            let pushed = try await graph.integers("SELECT id FROM post ORDER BY id LIMIT 1000")
            let pushes: [PostID] = jobs.compactMap { if case .push(let post, _) = $0 { post } else { nil } }
            #expect(pushes.map(\.rawValue) == pushed)
            #expect(jobs.count { $0 == .evictAll } == 2)
            #expect(try await graph.integers("SELECT posts_count FROM account WHERE username_key = 'u1'") == [2_500])
        }
    }

    @Test
    func `without dates the order is that of the file`() async throws {
        try await run(["u1,b,https://m.example/2,,,9", "u1,a,https://m.example/1,,,1"], dated: false) {
            graph, summary in
            #expect(summary.posts == 2)
            let found = try await captions(graph)
            #expect(found == ["b", "a"])
        }
    }

    @Test(arguments: [
        ("nobody,x,https://m.example/1,,,1", "there is no user \"nobody\""),
        (",x,https://m.example/1,,,1", "the author is empty"),
        ("u1,,https://m.example/1,,,1", "the caption is empty"),
        ("u1,x,ftp://m.example/1,,,1", "is not a URL"),
        ("u1,x,,,,1", "is not a URL"),
        ("u1,x,https://m.example/1,,,", "the date \"\" cannot be read"),
        ("u1,x,https://m.example/1,,1", "it has 5 columns"),
        ("u1,\"x\"y,https://m.example/1,,,1", "text follows a closing quotation mark"),
        ("u1,x,https://m.example/1,," + (0..<31).map(String.init).joined(separator: "|") + ",1", "it has 31 tags"),
        ("u1,x,https://m.example/1,,\(String(repeating: "t", count: 65)),1", "the tag has 65 characters"),
        ("u1,x,https://m.example/1,\(String(repeating: "c", count: 65)),,1", "the category has 65 characters"),
        ("u1,\(String(repeating: "é", count: 2_201)),https://m.example/1,,,1", "the caption has 2201 characters"),
    ])
    func `a malformed row is reported and the others are imported`(row: String, wrong: String) async throws {
        let good = "u1,good,https://m.example/1,,,1"
        try await run([good, "", row, good]) { _, summary in
            #expect(summary.posts == 2)
            #expect(summary.malformed.count == 1)
            let message = try #require(summary.malformed.messages.first)
            #expect(message.hasPrefix("line 4: ") && message.contains(wrong) && message.contains("; "), "\(message)")
        }
        try await run([good, "", row, good], strict: true) { graph, summary in
            #expect(summary.posts == 0 && summary.malformed.count == 1)
            let found = try await captions(graph)
            #expect(found.isEmpty)
        }
    }

    @Test
    func `what is too long is cut if that is asked for`() async throws {
        let tags = (0..<33).map { "tag\($0)" }.joined(separator: "|")
        let rows = ["u1,\(String(repeating: "é", count: 2_300)),https://m.example/1,,\(tags),1"]
        try await run(rows, fits: true) { graph, summary in
            #expect(summary == PostImport.Summary(posts: 1, authors: 1, textsCut: 1, tagsDropped: 3))
            let found = try await captions(graph)
            #expect(found.first?.unicodeScalars.count == SocialGraphLimits.captionLength)
            let tags = try await graph.integers("SELECT COUNT(*) FROM post_tag")
            #expect(tags == [30])
        }
    }

    @Test
    func `authors by rank are the most followed in order of appearance`() async throws {
        let rows = ["Zoo,1", "Abe,2", "Zoo,3", "Moe,4", "Fourth,5"].map { row in
            let parts = row.split(separator: ",")
            return "\(parts[0]),post \(parts[1]),https://m.example/1,,,\(parts[1])"
        }
        try await run(rows, authors: .rank) { graph, summary in
            let names = try await graph.database.read { reader in
                try reader.rows("SELECT a.username FROM post p JOIN account a ON a.id = p.author_id ORDER BY p.id", [])
                {
                    $0.text(0)
                }
            }
            #expect(names == ["u1", "u2", "u1", "u3"])
            #expect(summary.malformed.messages.first?.contains("more authors than the graph has users") == true)
        }
    }

    @Test
    func `authors by map`() async throws {
        let rows = [
            "Zoo,a,https://m.example/1,,,1", "Abe,b,https://m.example/1,,,2", "Ghost,c,https://m.example/1,,,3",
        ]
        try await run(rows, authors: .map(["Zoo": "u3", "Ghost": "nobody"])) { _, summary in
            #expect(summary.posts == 1)
            #expect(summary.malformed.messages.map { $0.prefix(7) } == ["line 3:", "line 4:"])
        }
    }

    @Test(arguments: ["tags", "algorithmTags"])
    func `columns named category and tags are taken without options`(tags: String) async throws {
        try await withGraph { graph in
            _ = try await FollowImport.run("2 1\n", into: graph)
            let text = "author,\(tags),caption,category,media_url\nu1,a|B,text,Food,https://m.example/1\n"
            let work = PostImport(graph: graph, showsProgress: false)
            let summary = try await withFile(text) { file, _ in try await work.run(file) }
            #expect(summary == PostImport.Summary(posts: 1, authors: 1))
            let post = try #require(try await graph.integers("SELECT id FROM post").first)
            let stored = try #require(try await graph.posts.posts([PostID(rawValue: post)]).first)
            #expect(stored.category == "Food" && stored.algorithmTags == ["a", "B"])
        }
    }

    @Test
    func `a column that the header does not have is named`() async throws {
        try await withGraph { graph in
            let work = PostImport(graph: graph, columns: PostColumns(author: "writer"), showsProgress: false)
            for text in ["", Self.header, "writer,writer,caption,media_url"] {
                await #expect(throws: CommandFailure.self) {
                    try await withFile(text) { file, _ in try await work.run(file) }
                }
            }
        }
    }

    @Test
    func `names are read from a file or from the command line`() async throws {
        #expect(try NameTable.categories("1=Film,24=Fun=Games") == ["1": "Film", "24": "Fun=Games"])
        let films = try await withFile("id,name\n1,\"Film, TV\"\n2,Autos\n") { _, path in try NameTable.categories(path)
        }
        #expect(films == ["1": "Film, TV", "2": "Autos"])
    }

    @Test
    func `names that come twice or not in pairs are refused`() async {
        #expect(throws: CommandFailure.self) { try NameTable.categories("1=a,1=b") }
        #expect(throws: CommandFailure.self) { try NameTable.categories("1=a,2") }
        await #expect(throws: CommandFailure.self) {
            try await withFile("value,username\nZoo,u1\nZoo,u2\n") { _, path in
                try NameTable.read(path: path, heading: ("value", "username"))
            }
        }
    }
}
