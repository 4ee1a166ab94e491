/// The metrics that `graphd` itself keeps, and the help text of each.
package enum MetricNames {
    package static let httpRequests = "http_requests_total"
    package static let httpRequestDuration = "http_request_duration_seconds"
    package static let processResidentMemory = "process_resident_memory_bytes"
    package static let processCPU = "process_cpu_seconds_total"
    package static let processOpenFiles = "process_open_fds"
    package static let processMaxFiles = "process_max_fds"
    package static let processStart = "process_start_time_seconds"
    package static let buildInfo = "graphd_build_info"
    package static let connectionsOpen = "graphd_connections_open"
    package static let connectionsRefused = "graphd_connections_refused_total"
    package static let connectionsOverdue = "graphd_connections_overdue_total"
    package static let certificateExpiry = "graphd_tls_certificate_expiry_seconds"
    package static let refusedSeries = "metrics_refused_total"
    package static let outboxPending = "graphd_outbox_pending"
    package static let outboxOldestSeconds = "graphd_outbox_oldest_seconds"
    package static let problem = "graphd_problem"
    package static let nodes = "graphd_nodes"
    package static let dutiesHeld = "graphd_duties_held"
    package static let standbys = "graphd_database_standbys"
    package static let redisUp = "graphd_redis_up"
    package static let redisBucketCold = "graphd_redis_bucket_cold"
    package static let redisColdBuckets = "graphd_redis_cold_buckets"
    package static let deliveries = "graphd_deliveries_total"
    static let windowRebuilds = "graphd_window_rebuilds_total"
    static let windowFolds = "graphd_window_folds_total"
    package static let windowFoldsWaiting = "graphd_window_folds_waiting"
    package static let pushes = "graphd_pushes_total"
    package static let pushesWaiting = "graphd_pushes_waiting"
    package static let mails = "graphd_mails_total"
    package static let mailsWaiting = "graphd_mails_waiting"
    package static let lastMailFailure = "graphd_mail_last_failure_timestamp_seconds"
    package static let mediaRequests = "graphd_media_requests_total"
    package static let mediaUp = "graphd_media_up"
    package static let mediaJobs = "graphd_media_jobs_total"
    package static let mediaJobsWaiting = "graphd_media_jobs_waiting"
    static let classifierOpenings = "graphd_classifier_breakers_opened_total"
    package static let windowReads = "graphd_window_reads_total"
    static let windowMemoryReads = "graphd_window_memory_reads_total"
    package static let auditedWindows = "graphd_audit_windows_total"
    package static let driftedWindows = "graphd_audit_drift_total"
    static let orphanedWindows = "graphd_audit_orphans_total"
    static let filterReads = "graphd_filter_reads_total"
    static let traceSpans = "graphd_trace_spans_total"
    static let streamsOpen = "graphd_streams_open"

    private static let problemCodes = ReadinessProblem.Code.allCases.map(\.rawValue).joined(separator: ", ")

    package static let help: [String: String] = [
        httpRequests: "Requests answered, by method, route template and class of status.",
        httpRequestDuration: "Seconds from the head of a request until its response is ready.",
        processResidentMemory: "Resident memory in bytes.",
        processCPU: "User and system CPU time spent, in seconds.",
        processOpenFiles: "Open file descriptors.",
        processMaxFiles: "Limit of open file descriptors.",
        buildInfo: "Always 1; the labels give the version and commit.",
        processStart: "Start time of the process, in seconds since 1970.",
        outboxPending: "Jobs that may still change a window, rebuilds included.",
        outboxOldestSeconds: "Age of the oldest job in the outbox, in seconds.",
        problem: "1 while readiness reports the fault, by code: \(problemCodes).",
        nodes: "Nodes of the graph, by state: serving or silent (no heartbeat in time).",
        dutiesHeld: "Leases of serving nodes for what one node does at a time.",
        standbys: "Standbys of PostgreSQL that have each write before it is acknowledged.",
        redisUp: "1 while windows are read and written, 0 while only SQLite serves pages.",
        redisBucketCold: "1 for a bucket of a Redis Cluster whose readers the database answers, else 0.",
        redisColdBuckets: "Buckets of a Redis Cluster whose readers the database answers, of 256.",
        deliveries: "Entries added to home windows.",
        windowRebuilds: "Home windows built from SQLite.",
        windowFolds: "Full tails of home windows folded, by queue (beside deliveries) or push (as part of one).",
        windowFoldsWaiting: "Home windows whose full tails wait to be folded or are being folded.",
        windowReads: "Home pages, by source of their first items: hit, miss, deep, unsettled or unavailable.",
        windowMemoryReads: "Slices of home windows that were in memory, so that Redis was not asked.",
        auditedWindows: "Home windows that the audit has compared with SQLite.",
        driftedWindows: "Home windows that the audit has found wrong and repaired.",
        orphanedWindows: "Home windows without an expiry that the audit has found and removed.",
        filterReads: "Home pages under a filter, by source of their first items: hit or miss.",
        traceSpans:
            "Spans of traces, by outcome: exported, refused (by the collector) or dropped (no room, no answer).",
        streamsOpen: "Event streams that are open.",
        pushes: "Messages for devices and webhooks, by channel and outcome: sent, failed, dropped or retried.",
        pushesWaiting: "Push queue length, by stage: event (to be planned) or delivery (to be sent).",
        mails: "Mails to owners of accounts, by outcome of the attempt: sent, retried, failed or expired.",
        mailsWaiting: "Mails that wait to be sent.",
        lastMailFailure: "Time of the last failed attempt to send a mail, in seconds since 1970.",
        mediaRequests:
            "Calls of the S3 service with the files, by operation and outcome: answered, refused, failed, unreachable "
            + "or malformed.",
        mediaJobs: "Attempts at examining videos, by outcome: ready, failed, retried or released (by a shutdown).",
        mediaJobsWaiting: "Videos that wait to be examined or are being examined.",
        mediaUp: "1 while the S3 service with the files answers.",
        connectionsOpen: "Connections being served.",
        connectionsRefused:
            "Connections answered with 503, by reason: full (too many in total) or address (too many from one).",
        connectionsOverdue:
            "Connections closed by a timeout, by reason: header, body, reader, idle, drain or closing.",
        certificateExpiry: "Time at which the certificate in use expires, in seconds since 1970.",
        classifierOpenings: "Times that a failing classifier was suspended for a while, by scope.",
        refusedSeries: "Metrics refused because of the limit on names or label sets.",
    ]
}
