import Foundation
import GraphAPI
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct CivilTimeTests {
    private func text(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        CivilTime(millisecondsSince1970: milliseconds).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        (Int64.min, "0000-01-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
    ])
    func `known instants are written as their dates`(_ milliseconds: Int64, _ expected: String) {
        #expect(text(milliseconds) == expected)
    }

    @Test func `random instants are written as Foundation writes them`() throws {
        // Starts in 1600, because Foundation's calendar is the Gregorian one from then on.
        var generator = SplitMix64(seed: 2)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<5000 {
            let seconds = Int64.random(in: -11_676_096_000...253_402_300_799, using: &generator)
            let expected = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
            #expect(text(seconds * 1000) == expected)
            let milliseconds = Int64.random(in: 0...999, using: &generator)
            #expect(text(seconds * 1000 + milliseconds).dropLast(4) == expected.dropLast(4))
            let fraction = String(milliseconds + 1000).dropFirst()
            #expect(text(seconds * 1000 + milliseconds).hasSuffix(".\(fraction)Z"))
        }
    }
}
