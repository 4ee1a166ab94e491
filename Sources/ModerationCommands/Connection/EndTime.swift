import Foundation
import GraphAPI

/// Parses and formats times on the command line.
enum EndTime {
    /// Parses RFC 3339, or a day in UTC, as milliseconds since 1970. Returns nil for other texts.
    static func milliseconds(_ text: String) -> Int64? {
        let time = text.utf8.count == 10 ? text + "T00:00:00Z" : text
        let styles = [
            Date.ISO8601FormatStyle(includingFractionalSeconds: false), .init(includingFractionalSeconds: true),
        ]
        for style in styles {
            if let date = try? style.parse(time) { return Int64((date.timeIntervalSince1970 * 1_000).rounded()) }
        }
        return nil
    }

    /// Formats a time as `2026-11-21T02:04:05.123Z`.
    static func text(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        CivilTime(millisecondsSince1970: milliseconds).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses `90s`, `15m`, `12h`, `7d` or `2w` as seconds. Returns nil for other texts.
    static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }), ModerationServer.isID(text.dropLast()),
            let count = Int64(text.dropLast()), count <= 10_000_000
        else {
            return nil
        }
        return count * unit
    }
}
