import Foundation

/// Limits of a client, and its repetitions of requests.
public struct Configuration: Sendable {
    /// The repetitions of requests that fail for a moment.
    public var retries = RetryPolicy()
    /// The largest answer that is read, in bytes. Downloads are streams, and have no limit.
    public var maximumAnswerSize = 16 * 1024 * 1024
    /// The largest event of a stream, in bytes.
    public var maximumEventSize = 1024 * 1024
    /// Sent as `User-Agent`.
    public var userAgent = "GraphdClient"
    /// Waits between repetitions. Tests put a clock of their own here.
    public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    public init() {}
}
