import Discovery
import GraphServices
import SocialGraph
import StrictJSON

extension StrictObject {
    /// Reads a time in a video: non-negative seconds with at most three significant decimals. Returns milliseconds.
    package mutating func videoTime(_ name: String) throws -> Int64 {
        let time = try optionalVideoTime(name)
        return try required(name, time)
    }

    package mutating func optionalVideoTime(_ name: String) throws -> Int64? {
        let seconds: Double
        switch take(name) {
        case nil: return nil
        case .integer(let value)?: seconds = Double(value)
        case .double(let value)?: seconds = value
        case let other?: throw Self.wrongType(name, other, expected: "a number of seconds")
        }
        let longest = DiscoveryLimits.videoLength / 1_000
        guard (0...Double(longest)).contains(seconds) else {
            throw Problem(.invalidValue, "The field \"\(name)\" must be from 0 to \(longest) seconds.", field: name)
        }
        return Int64((seconds * 1_000).rounded())
    }

    /// Longest duration, in seconds: a hundred years.
    private static let longestDuration: Int64 = 100 * 366 * 24 * 3_600

    /// Reads the end of something: `expiresAt`, a time after `now`, or `duration`, in seconds. Returns milliseconds
    /// since 1970; nil: neither is given.
    package mutating func optionalExpiry(now: Int64) throws -> Int64? {
        let time = try optionalTime("expiresAt")
        let duration = try optionalInteger("duration", in: 1...Self.longestDuration)
        guard time == nil || duration == nil else {
            throw Problem(
                .invalidValue, "Give \"expiresAt\" or \"duration\" (in seconds), not both.", field: "duration")
        }
        if let time, time <= now {
            throw Problem(.invalidValue, "\"expiresAt\" must be a time in the future.", field: "expiresAt")
        }
        return time ?? duration.map { now + $0 * 1_000 }
    }
}
