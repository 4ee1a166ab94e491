import Foundation
import TestSupport
import Testing

@testable import GraphHTTP
@testable import graphd

/// Every input has a parser that fuzzing and `tools/linear` feed. A new reader, parameter or header without one fails.
@Suite(.timeLimit(.unit))
struct InputCoverageTests {
    /// The parser of each parameter or header of the API, by name.
    private static let inputs: [String: String] = [
        // Headers.
        "Idempotency-Key": "headers", "If-None-Match": "headers", "If-Range": "headers", "Range": "headers",
        "Last-Event-ID": "last-event-id", "X-Request-Id": "headers",
        // Ids and pages.
        "actorId": "cursor", "author": "cursor", "batch": "cursor", "commentId": "cursor", "community": "cursor",
        "communityId": "cursor", "cursor": "cursor", "lastVisible": "cursor", "limit": "query",
        "parentCommentId": "cursor", "postId": "cursor", "subjectId": "cursor", "startAfter": "cursor", "uid": "cursor",
        "userId": "cursor",
        "user_id": "cursor",
        // Enumerations of a few words.
        "action": "query", "banned": "query", "explain": "query", "format": "query", "kind": "query", "sort": "query",
        "status": "query", "thread": "query", "unread": "query", "window": "query",
        // Texts.
        "algorithmFilter": "query", "algorithms": "query", "attributes": "condition", "category": "query",
        "cookingTime": "condition", "cuisineType": "condition", "difficulty": "condition",
        "difficultyLevel": "condition", "duration": "condition", "muscleGroup": "condition", "q": "search",
        "username": "query", "workoutType": "condition", "since": "time", "until": "time",
        // Signed links.
        "expires": "query", "expiresIn": "query", "signature": "query", "user": "query",
    ]

    @Test func `every parameter of the API has a parser`() throws {
        let document = try APIDescription.source("docs/openapi.yaml")
        let named = document.matches(of: #/name: "?([\w.<>-]+)"?,?\s+in: (?:query|header)/#)
        let reversed = document.matches(of: #/in: (?:query|header),?\s+name: "?([\w.<>-]+)"?/#)
        let names = Set((named.map(\.1) + reversed.map(\.1)).map(String.init))
        #expect(names.count > 30, "\(names.sorted())")
        let parsers = Set(InputParser.all.map(\.name))
        for name in names.sorted() {
            #expect(Self.inputs[name].map(parsers.contains) == true, "no parser for \(name)")
        }
    }

    /// Checks the methods of ``StrictObject`` that read fields: each has a row that feeds it.
    @Test func `every reader of fields has a row`() throws {
        let files =
            [
                "", "+fields", "+objects", "+attributes", "+filters", "+moderation", "+times", "+vectors",
            ].map { "GraphHTTP/Requests/StrictObject\($0)" } + ["ProductAPIs/ProductRequest"]
        var readers: Set<String> = []
        for file in files {
            let source = try APIDescription.source("Sources/\(file).swift")
            let body = file.hasSuffix("ProductRequest") ? source.prefix { $0 != "|" } : source[...]
            for match in body.matches(of: #/(?m)^    (?:package )?(?:mutating )?func (\w+)[<(]/#) {
                readers.insert(String(match.1))
            }
        }
        let rows = Set(InputParser.readers.map(\.name))
        let others: Set = ["end", "lenientObject", "names"]
        #expect(readers.subtracting(rows).subtracting(others) == [], "readers without a row")
        #expect(rows.subtracting(readers) == [], "rows without a reader")
    }

    /// Checks that all readers are in the files of the test above.
    @Test func `no reader stands elsewhere`() throws {
        let known: Set = [
            "StrictObject.swift", "StrictObject+fields.swift", "StrictObject+objects.swift",
            "StrictObject+attributes.swift", "StrictObject+filters.swift", "StrictObject+moderation.swift",
            "StrictObject+times.swift", "StrictObject+vectors.swift",
        ]
        #expect(try Set(APIDescription.files(in: "Sources/GraphHTTP/Requests", startingWith: "StrictObject")) == known)
    }

    @Test func `names of parsers are different`() {
        #expect(Set(InputParser.all.map(\.name)).count == InputParser.all.count)
    }
}

extension APIDescription {
    fileprivate static func files(in folder: String, startingWith prefix: String) throws -> [String] {
        // Tests/GraphdTests/Inputs/InputCoverageTests.swift
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { $0.hasPrefix(prefix) }
    }
}
