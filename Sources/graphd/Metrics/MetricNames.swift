/// The metrics that `graphd` itself keeps, and the help text of each.
enum MetricNames {
    static let httpRequests = "http_requests_total"
    static let httpRequestDuration = "http_request_duration_seconds"
    static let processResidentMemory = "process_resident_memory_bytes"
    static let processCPU = "process_cpu_seconds_total"
    static let processOpenFiles = "process_open_fds"
    static let processStart = "process_start_time_seconds"
    static let refusedSeries = "metrics_refused_total"

    static let help: [String: String] = [
        httpRequests: "Requests answered, by method, route template and class of status.",
        httpRequestDuration: "Seconds from the head of a request to its answer being ready.",
        processResidentMemory: "Resident memory in bytes.",
        processCPU: "User and system CPU time spent, in seconds.",
        processOpenFiles: "Open file descriptors.",
        processStart: "Start of the process, in seconds since 1970.",
        refusedSeries: "Metrics refused because a limit on names or label sets was reached.",
    ]
}
