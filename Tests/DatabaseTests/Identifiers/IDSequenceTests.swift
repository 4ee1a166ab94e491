import Database
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct IDSequenceTests {
    @Test
    func `ids increase strictly whatever the clock does`() throws {
        var random = SplitMix64(seed: 3)
        var sequence = IDSequence(last: 0)
        var now = IDSequence.epoch
        var last: Int64 = 0
        for _ in 0..<20_000 {
            now += Int64.random(in: -5_000...5_000, using: &random)
            let id = try sequence.next(now: now)
            #expect(id > last)
            last = id
        }
    }

    @Test
    func `a burst beyond one millisecond's ids goes on in the next`() throws {
        let now = IDSequence.epoch + 1_000
        var sequence = IDSequence(last: 0)
        let ids = try (0..<10_000).map { _ in try sequence.next(now: now) }
        #expect(ids.first == 1_000 << IDSequence.sequenceBits)
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $1 == $0 + 1 })
        #expect(try sequence.next(now: now + 1) == (ids.last ?? 0) + 1)
    }

    @Test(arguments: [Int64.min / 8_192, 0, IDSequence.epoch - 1])
    func `a clock before 2025 is harmless`(now: Int64) throws {
        var sequence = IDSequence(last: 41)
        #expect(try sequence.next(now: now) == 42)
    }

    @Test
    func `the last id is 2^53 - 1 and a double holds it exactly`() throws {
        var sequence = IDSequence(last: IDSequence.maximum - 1)
        #expect(try sequence.next(now: 0) == 9_007_199_254_740_991)
        #expect(Int64(Double(sequence.last)) == sequence.last)
        var full = sequence
        #expect(throws: DatabaseError.idSpaceExhausted) { _ = try Self.take(&full) }
        #expect(full.last == IDSequence.maximum)
    }

    private static func take(_ sequence: inout IDSequence) throws -> Int64 { try sequence.next(now: 0) }
}
