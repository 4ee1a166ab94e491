import Database
import RedisClient
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct WindowPositionTests {
    /// The largest number that a double, and hence a score, holds exactly together with its neighbours.
    static let largest: Int64 = 1 << 53 - 1

    struct Push: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var full = false
        /// Entries above the filling of a full window, which ends at 100.
        let before: [FeedEntry]
        let pushed: [FeedEntry]
        let after: [String]
    }

    /// Pushes to windows. A full window has 16 entries: the given ones, and as many others from 100 upwards as needed.
    static let pushes: [Push] = [
        Push(
            testDescription: "a reshare is a place", before: [at(10)], pushed: [reshared(3, at: 20)],
            after: ["3@20", "10", "0"]),
        Push(
            testDescription: "of two places the smaller stays, the later one pushed last",
            before: [reshared(3, at: 20)], pushed: [reshared(3, at: 30)], after: ["3@20", "0"]),
        Push(
            testDescription: "of two places the smaller stays, the smaller one pushed last",
            before: [reshared(3, at: 30)], pushed: [reshared(3, at: 20)], after: ["3@20", "0"]),
        Push(
            testDescription: "a post's own place is its first", before: [reshared(3, at: 30), at(10)], pushed: [at(3)],
            after: ["10", "3", "0"]),
        Push(
            testDescription: "two places in one call", before: [], pushed: [reshared(3, at: 20), at(3)],
            after: ["3", "0"]),
        Push(
            testDescription: "the largest places are told apart", before: [at(largest - 2)],
            pushed: [reshared(largest - 3, at: largest), reshared(1, at: largest - 1)],
            after: ["\(largest - 3)@\(largest)", "1@\(largest - 1)", "\(largest - 2)", "0"]),
        Push(
            testDescription: "of the largest places the smaller stays", before: [reshared(7, at: largest)],
            pushed: [reshared(7, at: largest - 1)], after: ["7@\(largest - 1)", "0"]),
        Push(
            testDescription: "below the floor, what stands higher is taken out", full: true,
            before: [reshared(7, at: 500)], pushed: [at(7)], after: []),
        Push(
            testDescription: "below the floor, what stands nowhere stays away", full: true, before: [at(500)],
            pushed: [at(7)], after: ["500"]),
        Push(
            testDescription: "above the floor, a late place moves the post down", full: true,
            before: [reshared(150, at: 500), at(400)], pushed: [at(150)], after: ["400", "150"]),
        Push(
            testDescription: "of one call, each is judged for itself", full: true,
            before: [reshared(7, at: 500), reshared(8, at: 501)],
            pushed: [at(7), reshared(8, at: 502), reshared(9, at: 503), at(150)], after: ["9@503", "8@501", "150"]),
        Push(
            testDescription: "the place of the floor itself changes nothing", full: true, before: [at(500)],
            pushed: [at(100)], after: ["500"]),
    ]

    @Test(.redisServer, arguments: pushes)
    func `a push keeps each post at its earliest place`(_ push: Push) async throws {
        try await withWindows { windows async throws in
            let filling = push.full ? (0..<Int64(16 - push.before.count)).map { at(100 + $0) } : []
            try await windows.makeWindow(viewer, entries: push.before + filling)
            #expect(try await windows.writer.push(push.pushed, to: [viewer]) == push.pushed.count)
            let expected = push.after + filling.reversed().map { "\($0.post.rawValue)" }
            #expect(try await windows.entries(viewer) == expected)
        }
    }

    @Test(.redisServer)
    func `a trim that ends at reshares raises the floor to the place, not to the post`() async throws {
        try await withWindows { windows async throws in
            // Two words each, so that the tail is full twice.
            let limit = (windows.fullTail(viewer) + 1) / 2 * 2
            try await windows.makeWindow(viewer, [])
            for number in 1...limit {
                try await windows.writer.push([reshared(limit - number + 1, at: 1_000 + number)], to: [viewer])
            }
            let last = 1_000 + limit - 15
            #expect(try await windows.entries(viewer).last == "16@\(last)")
            #expect(try await windows.floor(viewer) == last)
            // This is below the floor, although above the post's number.
            try await windows.writer.push([reshared(500, at: last - 1)], to: [viewer])
            #expect(try await windows.entries(viewer).last == "16@\(last)")
        }
    }

    @Test(.redisServer, arguments: [false, true])
    func `a retraction takes a post out at that place alone, and finds windows without it each time`(
        isInTail: Bool
    ) async throws {
        try await withWindows { windows async throws in
            let absent = UserID(rawValue: 99)
            let entry = reshared(7, at: Self.largest - 1)
            let windowsBefore: [(entries: [FeedEntry], isFound: Bool, after: [String])] = [
                ([entry, at(5)], true, ["5", "0"]),
                ([reshared(7, at: Self.largest), at(5)], true, ["7@\(Self.largest)", "5", "0"]),
                ([reshared(7, at: Self.largest - 2), at(5)], false, ["7@\(Self.largest - 2)", "5", "0"]),
                ([at(7)], false, ["7", "0"]),
                ([at(5)], true, ["5", "0"]),
                ([], true, ["0"]),
            ]
            // More viewers than one call takes, so that the second call has results of its own.
            let padding = (0..<WindowWriter.windowsPerCall - 2).map { UserID(rawValue: 1_000 + Int64($0)) }
            let viewers = windowsBefore.indices.map { UserID(rawValue: Int64($0) + 1) }
            for (viewer, window) in zip(viewers, windowsBefore) {
                try await windows.makeWindow(viewer, entries: isInTail ? [] : window.entries)
                if isInTail { try await windows.writer.push(window.entries, to: [viewer]) }
            }
            let asked = padding + viewers + [absent]
            let found = zip(viewers, windowsBefore).filter { $0.1.isFound }.map(\.0)
            for _ in 0..<2 {
                #expect(try await windows.writer.retract(entry, from: asked) == found)
                for (viewer, window) in zip(viewers, windowsBefore) {
                    #expect(try await windows.entries(viewer) == window.after)
                }
            }
            #expect(try await windows.writer.retract(entry, from: []).isEmpty)
        }
    }

    @Test(.redisServer)
    func `a retraction of the only entry leaves no window`() async throws {
        try await withWindows { windows async throws in
            try await windows.makeWindow(viewer, (0..<16).map { 100 + $0 })
            try await windows.writer.remove((1..<16).map { PostID(rawValue: 100 + $0) }, from: [viewer])
            #expect(try await windows.writer.retract(at(100), from: [viewer]) == [viewer])
            #expect(try await windows.integer(RedisCommand("EXISTS", [windows.window(viewer)])) == 0)
        }
    }

    @Test(.redisServer)
    func `a build that is to replace a window begins only where there is one`() async throws {
        try await withWindows { windows async throws in
            let absent = try await windows.writer.build(viewer, replacing: true) {
                Issue.record("the graph was read")
                return []
            }
            #expect(absent == .nothingToReplace)
            #expect(try await windows.connection.send(RedisCommand("KEYS", ["b:*"])) { try $0.count } == 0)
            try await windows.makeWindow(viewer, [10])
            let replaced = try await windows.writer.build(viewer, replacing: true) { () async throws -> [FeedEntry] in
                #expect(try await windows.members(viewer) == [10, 0])
                return [at(20)]
            }
            #expect(replaced == .ready)
            #expect(try await windows.members(viewer) == [20, 0])
        }
    }

    struct Flip: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let pushed: [FeedEntry]
        let snapshot: [FeedEntry]
        let after: [String]
    }

    static let full = (0..<15).map { at(100 + $0) }
    static let flips: [Flip] = [
        Flip(
            testDescription: "of two places the smaller stays, the snapshot's", pushed: [reshared(3, at: 20)],
            snapshot: [reshared(3, at: 10)], after: ["3@10", "0"]),
        Flip(
            testDescription: "of two places the smaller stays, the one that was pushed", pushed: [at(3)],
            snapshot: [reshared(3, at: 10), at(5)], after: ["5", "3", "0"]),
        Flip(
            testDescription: "what was pushed below the end of a full snapshot stands there alone, and goes",
            pushed: [at(50)], snapshot: full + [at(200)], after: ["200"] + full.reversed().map { "\($0.post.rawValue)" }
        ),
        Flip(
            testDescription: "what moved below the end of a full snapshot goes, too", pushed: [at(50)],
            snapshot: full + [reshared(50, at: 200)], after: full.reversed().map { "\($0.post.rawValue)" }),
        Flip(
            testDescription: "what was pushed above stays, and the cap holds", pushed: [reshared(60, at: 300)],
            snapshot: full + [at(200)],
            after: ["60@300", "200"] + full.reversed().map { "\($0.post.rawValue)" }),
        Flip(
            testDescription: "a full snapshot that ends in a reshare", pushed: [at(94)],
            snapshot: full + [reshared(1, at: 95)], after: full.reversed().map { "\($0.post.rawValue)" } + ["1@95"]),
    ]

    @Test(.redisServer, arguments: flips)
    func `a flip joins what was pushed with what was read`(_ flip: Flip) async throws {
        try await withWindows { windows async throws in
            let outcome = try await windows.writer.build(viewer) {
                try await windows.writer.push(flip.pushed, to: [viewer])
                return flip.snapshot.sorted { $0.position > $1.position }
            }
            #expect(outcome == .ready)
            #expect(try await windows.entries(viewer) == flip.after)
            if flip.after.last != "0" {
                let last = flip.after.last?.split(separator: "@").last.flatMap { Int64($0) }
                #expect(try await windows.floor(viewer) == last)
            }
        }
    }
}
