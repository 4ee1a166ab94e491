import Foundation
import Synchronization
import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct FixedRatesTests {
    @Test func `options name ratios and rates`() throws {
        #expect(
            try FixedRates.parse(["last_follower=40", "read_tail=1600.5"]) == [.lastFollower: 40, .readTail: 1_600.5])
        #expect(try FixedRates.parse([]).isEmpty)
    }

    @Test(
        arguments: [
            ("last_follower", "is not of the form last_follower=40"),
            ("last_follower=", "is not of the form"),
            ("last_follower=forty", "is not of the form"),
            ("last_follower=0", "a rate is above 0, got 0.0"),
            ("read_tail=-1", "a rate is above 0, got -1.0"),
            ("read_tail=inf", "a rate is above 0, got inf"),
            ("rebuild=40", "\"rebuild\" has no fixed rate; last_follower, read_tail have one"),
            ("reads=40", "\"reads\" has no fixed rate"),
        ])
    func `a wrong option is refused`(_ argument: String, _ message: String) {
        let failure = #expect(throws: Program.Failure.self) { try FixedRates.parse([argument]) }
        #expect(failure?.description.contains(message) == true, "\(failure?.description ?? "")")
    }

    @Test(arguments: ["40", "{\"last_follower\": \"40\"}", "{\"last_follower\": 0}", "{\"rebuild\": 40}"])
    func `a file of another form is refused`(_ text: String) {
        #expect(throws: Program.Failure.self) { try FixedRates.decode(Data(text.utf8), from: "rates.json") }
    }

    @Test func `a rate is found once for all repetitions`() async throws {
        let searches = Atomic(0)
        let rates = try FixedRates()
        for _ in 0..<3 {
            let rate = try await rates.rate(.readTail) {
                (Double(searches.add(1, ordering: .relaxed).newValue) * 100, false)
            }
            #expect(rate == FixedRate(perSecond: 100, origin: .found))
        }
        #expect(searches.load(ordering: .relaxed) == 1)
    }

    @Test func `a found rate is stored for the next run`() async throws {
        try await withTemporaryDirectory("rates") { directory in
            let file = directory + "/reports/rates.json"
            let first = try FixedRates(file: file)
            _ = try await first.rate(.lastFollower) { (40, true) }
            _ = try await first.rate(.readTail) { (1_600, true) }
            let second = try FixedRates(file: file)
            #expect(try await second.rate(.lastFollower) { (63, true) } == FixedRate(perSecond: 40, origin: .stored))
            #expect(try await second.rate(.readTail) { (63, true) } == FixedRate(perSecond: 1_600, origin: .stored))
        }
    }

    @Test func `a rate found on a busy machine is not stored`() async throws {
        try await withTemporaryDirectory("rates") { directory in
            let file = directory + "/rates.json"
            let first = try FixedRates(file: file)
            _ = try await first.rate(.lastFollower) { (6.3, false) }
            _ = try await first.rate(.readTail) { (1_600, true) }
            #expect(try await first.rate(.lastFollower) { (63, true) }.perSecond == 6.3, "but it holds for this run")
            let stored = try FixedRates.decode(Data(contentsOf: URL(fileURLWithPath: file)), from: file)
            #expect(stored == [.readTail: 1_600])
        }
    }

    @Test func `a given rate goes before the stored one and is not stored`() async throws {
        try await withTemporaryDirectory("rates") { directory in
            let file = directory + "/rates.json"
            _ = try await FixedRates(file: file).rate(.lastFollower) { (40, true) }
            let given = try FixedRates(["last_follower=25"], file: file)
            #expect(try await given.rate(.lastFollower) { (63, true) } == FixedRate(perSecond: 25, origin: .given))
            _ = try await given.rate(.readTail) { (1_000, true) }
            let stored = try FixedRates.decode(Data(contentsOf: URL(fileURLWithPath: file)), from: file)
            #expect(stored == [.lastFollower: 40, .readTail: 1_000])
        }
    }
}
