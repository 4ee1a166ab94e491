/// A failed call of an S3 service. No description holds a credential, a signature, or text of the service but its code.
package enum ObjectStoreError: Error, Equatable, CustomStringConvertible {
    /// Nobody answers, or not in time.
    case unreachable(String)
    /// The service refuses the call: 3xx and 4xx.
    case refused(status: Int, code: String)
    /// The service cannot carry it out now: 5xx, 429.
    case failed(status: Int, code: String)
    /// The answer is not one of an S3 service.
    case malformed(String)

    package var description: String {
        switch self {
        case .unreachable(let reason): "no answer (\(reason))"
        case .refused(let status, let code): "refused with \(status)\(code.isEmpty ? "" : " \(code)")"
        case .failed(let status, let code): "failed with \(status)\(code.isEmpty ? "" : " \(code)")"
        case .malformed(let reason): "a malformed answer: \(reason)"
        }
    }

    /// True if the same call may succeed soon.
    var isTransient: Bool {
        switch self {
        case .unreachable, .failed: true
        case .refused(let status, _): status == 409
        case .malformed: false
        }
    }

    /// The code of the service, such as `AccessDenied`; empty if it has told none.
    package var code: String {
        switch self {
        case .refused(_, let code), .failed(_, let code): code
        case .unreachable, .malformed: ""
        }
    }
}

/// Limits of what a service may answer, and of the time that it may take.
package struct ObjectStoreLimits: Sendable {
    /// Bytes of a page of a list, and of the description of an error.
    var pageBytes = 4 << 20
    var errorBytes = 65_536
    /// Keys of a page.
    var keys = 1000
    package var connect = Duration.seconds(5)
    /// Time for the head of an answer, and for a whole answer without a file.
    package var answer = Duration.seconds(15)
    /// Time for the next bytes of a file. Longer than a client may keep graphd waiting, since both count.
    package var pause = Duration.seconds(30)
    /// Time for sending a file: this, and more for each MiB.
    package var put = Duration.seconds(30)
    package var putEachMiB = Duration.seconds(1)
    package var longestPut = Duration.seconds(2400)
    package var retryPause = Duration.milliseconds(200)
    /// Attempts of a call that fails for reasons that may pass.
    package var attempts = 2
    /// Time after which no call is repeated: whoever waits for it has waited long enough.
    package var repeats = Duration.seconds(5)
    /// Connections to the service.
    package var connections = 640

    package init() {}

    func put(_ bytes: Int64) -> Duration { min(put + putEachMiB * Double(bytes >> 20), longestPut) }
}
