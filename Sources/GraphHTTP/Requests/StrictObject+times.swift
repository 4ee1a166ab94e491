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
}
