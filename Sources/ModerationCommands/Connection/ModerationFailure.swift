/// What scripts learn from the exit status, besides 64, wrong usage.
enum CommandStatus: Int32 {
    /// The server said no for a reason that is none of the others, or what was checked does not hold.
    case failed = 1
    case badData = 65
    case notFound = 66
    case unreachable = 69
    /// Come again: too much at the moment, or only a part was done.
    case tryAgain = 75
    case refused = 77

    static let documentation = """
        Exit status: 0 done; 1 the server refused it as things stand, or a check failed; 64 wrong usage; 65 wrong \
        data; 66 not found; 69 the server cannot be reached; 75 try again, or only a part was done; 77 not allowed.
        """
}

/// A command that ends early: what to say on standard error, and the exit status.
struct ModerationFailure: Error, Equatable {
    let message: String
    let status: CommandStatus

    init(_ status: CommandStatus, _ message: String) {
        self.message = message
        self.status = status
    }
}

/// Why a request brought no answer that can be used.
enum RequestFailure: Error, Equatable {
    /// Nothing was sent.
    case unreachable(String)
    /// It was sent, and the answer did not come: whether it was carried out is not known.
    case lost(String)
    case problem(status: Int, code: String, detail: String)

    var failure: ModerationFailure {
        switch self {
        case .unreachable(let why):
            ModerationFailure(.unreachable, "\(why) Is graphd running there? Name it with --server.")
        case .lost(let why):
            ModerationFailure(.tryAgain, "\(why) Whether it was carried out is not known. Running it again is safe.")
        case .problem(let status, let code, let detail):
            ModerationFailure(Self.status(of: status), "\(detail) (\(code))")
        }
    }

    /// Whether the next attempt may do better.
    var isPassing: Bool { failure.status == .unreachable || failure.status == .tryAgain }

    /// The exit status for an HTTP status.
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
