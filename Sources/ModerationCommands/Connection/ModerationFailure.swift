/// Exit statuses for scripts, in addition to 64, wrong usage.
enum CommandStatus: Int32 {
    /// The server refused for a reason without a status of its own, or a check failed.
    case failed = 1
    case badData = 65
    case notFound = 66
    case unreachable = 69
    /// Try again: the server is overloaded, or only a part was done.
    case tryAgain = 75
    case refused = 77

    static let documentation = """
        Exit status: 0 success; 1 refused in the current state, or a check failed; 64 wrong usage; 65 invalid data; \
        66 not found; 69 server unreachable; 75 try again, or only partly done; 77 not allowed.
        """
}

/// The early end of a command, with the message for standard error and the exit status.
struct ModerationFailure: Error, Equatable {
    let message: String
    let status: CommandStatus

    init(_ status: CommandStatus, _ message: String) {
        self.message = message
        self.status = status
    }
}

/// The reason why a request has no usable answer.
enum RequestFailure: Error, Equatable {
    /// Nothing was sent.
    case unreachable(String)
    /// The request was sent, and no answer arrived. Its outcome is unknown.
    case lost(String)
    case problem(status: Int, code: String, detail: String)

    var failure: ModerationFailure {
        switch self {
        case .unreachable(let why):
            ModerationFailure(.unreachable, "\(why) Is graphd running there? Name it with --server.")
        case .lost(let why):
            ModerationFailure(.tryAgain, "\(why) The change may have been made. Running the command again is safe.")
        case .problem(let status, let code, let detail):
            ModerationFailure(Self.status(of: status), "\(detail) (\(code))")
        }
    }

    /// True if another attempt may succeed.
    var isPassing: Bool { failure.status == .unreachable || failure.status == .tryAgain }

    /// Returns the exit status for an HTTP status.
    static func status(of status: Int) -> CommandStatus {
        switch status {
        case 401, 403: .refused
        case 404: .notFound
        case 400, 413, 422: .badData
        case 429, 502, 503, 504: .tryAgain
        default: .failed
        }
    }
}
