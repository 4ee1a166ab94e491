/// The metadata keys of the log lines that `graphd` itself writes.
enum LogKeys {
    static let channel = "channel"
    static let count = "count"
    static let durationMilliseconds = "duration_ms"
    static let error = "error"
    static let file = "file"
    static let limit = "limit"
    static let message = "message_id"
    static let method = "method"
    static let metric = "metric"
    static let problem = "problem"
    static let requestID = "request_id"
    static let route = "route"
    static let status = "status"
    static let userID = "user_id"
}
