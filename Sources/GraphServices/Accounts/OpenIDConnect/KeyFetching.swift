import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The ways to fetch a key set.
package enum KeyFetching {
    private static let byteLimit = 1_048_576
    private static let timeLimit = TimeAmount.seconds(5)
    /// Bounds of the time for which keys are kept, in milliseconds. Within them the issuer decides.
    private static let lifetimes: ClosedRange<Int64> = 60_000...86_400_000
    private static let usualLifetime: Int64 = 3_600_000

    /// An answer that cannot be a key set.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    package static func fetch(_ keys: OIDCProvider.Keys) -> @Sendable () async throws -> KeySource.Fetched {
        switch keys {
        case .file(let path): { try read(path) }
        case .url(let url): { try await get(url) }
        }
    }

    /// A file is small and local, and read once a minute at most.
    private static func read(_ path: String) throws -> KeySource.Fetched {
        guard let data = FileManager.default.contents(atPath: path), data.count <= byteLimit else {
            throw Failure(description: "the file \(path) cannot be read")
        }
        return KeySource.Fetched(json: Array(data), lifetime: lifetimes.lowerBound)
    }

    private static func get(_ url: String) async throws -> KeySource.Fetched {
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: timeLimit)
        guard answer.status == .ok else { throw Failure(description: "\(url) answers \(answer.status.code)") }
        let body = try await answer.body.collect(upTo: byteLimit)
        let lifetime = maxAge(of: answer.headers["Cache-Control"]).map { $0 * 1_000 } ?? usualLifetime
        return KeySource.Fetched(
            json: Array(body.readableBytesView),
            lifetime: min(max(lifetime, lifetimes.lowerBound), lifetimes.upperBound))
    }

    /// The seconds of `max-age` (RFC 9111, section 5.2.2.1).
    static func maxAge(of headers: [String]) -> Int64? {
        for header in headers {
            for directive in header.split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1)
                let name = parts[0].drop { $0 == " " }.lowercased()
                guard name == "max-age", parts.count == 2, let seconds = Int64(parts[1].filter(\.isNumber)) else {
                    continue
                }
                return min(seconds, 1_000_000_000)
            }
        }
        return nil
    }
}
