import ArgumentParser
import CommandSupport
import Foundation
import GraphServices
import Logging

/// The settings of a server as flags. Absent ones come from the environment, then from the configuration file.
struct ServeOptions: ParsableArguments {
    @Option(help: "Data directory; created if missing. [GRAPHD_DATA_DIR] (default: ./data)")
    var dataDir: String?

    @Option(
        help: """
            PostgreSQL database of the graph: postgres://user@host[:port]/database[?sslmode=…]; a password only from \
            the environment, the file of settings, or passfile=PATH. [GRAPHD_DATABASE] (default: graph.db, an SQLite \
            database in the data directory)
            """)
    var database: String?

    @Option(
        help: """
            Refuse a PostgreSQL server without a synchronous standby: on or off. [GRAPHD_REQUIRE_STANDBY] (default: off)
            """)
    var requireStandby: String?

    @Option(
        help: """
            Answer reads for this long after the last heartbeat while PostgreSQL has no primary, with what a standby \
            and this node know; changes are refused. 0: answer nothing. [GRAPHD_STALE_READS] (default: 0)
            """)
    var staleReads: String?

    @Option(help: "Address to listen on. [GRAPHD_HOST] (default: 127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on; 0 lets the system choose. [GRAPHD_PORT] (default: 8080)")
    var port: String?

    @Option(
        help: """
            A separate address, HOST:PORT, for /metrics and the details of /readyz, open to everyone who can reach it. \
            [GRAPHD_ADMIN_ADDRESS] (default: served on the main address, only to callers on this machine)
            """)
    var adminAddress: String?

    @Option(
        help: """
            Origins whose web pages may use the API: *, or origins such as \
            https://app.example.org,http://localhost:5173. [GRAPHD_CORS_ORIGINS] (default: none)
            """)
    var corsOrigins: String?

    @Option(
        help: """
            PEM file of the certificate chain for HTTPS, with HTTP/2; reloaded when it changes. \
            [GRAPHD_TLS_CERTIFICATE] (default: plain HTTP)
            """)
    var tlsCertificate: String?

    @Option(help: "PEM file of the private key of the certificate. [GRAPHD_TLS_KEY]")
    var tlsKey: String?

    @Option(
        help: """
            Maximum number of open connections, 16 to 1000000; lowered if there are too few file descriptors. \
            [GRAPHD_MAX_CONNECTIONS] (default: 30000)
            """)
    var maxConnections: String?

    @Option(
        help: """
            Maximum number of open connections per address (IPv6: per /64), up to 1000000; 0 means no limit. \
            [GRAPHD_MAX_CONNECTIONS_PER_ADDRESS] (default: 1000)
            """)
    var maxConnectionsPerAddress: String?

    @Option(help: "Time limit for the header of a request, 1s to 60m. [GRAPHD_HEADER_TIMEOUT] (default: 20s)")
    var headerTimeout: String?

    @Option(
        help: """
            Time limit for each 16 KiB of a request body, or of a response that the client reads, 1s to 60m. \
            [GRAPHD_BODY_TIMEOUT] (default: 30s)
            """)
    var bodyTimeout: String?

    @Option(help: "Maximum time between two requests on a connection, 1s to 60m. [GRAPHD_IDLE_TIMEOUT] (default: 75s)")
    var idleTimeout: String?

    @Option(
        help: """
            Time after which stalled threads end the process, so that its supervisor restarts it: \
            10s to 60m, or off. [GRAPHD_WATCHDOG] (default: 60s)
            """)
    var watchdog: String?

    @Option(
        help: """
            External Redis: redis://[user:password@]host:port/database, unix:///path/to.sock or a path; or a Redis \
            Cluster by some of its nodes: redis-cluster://[user:password@]host:port,host:port. Without it, a private \
            redis-server is run in the data directory. [GRAPHD_REDIS]
            """)
    var redis: String?

    @Option(
        help: """
            Number of private redis-servers that share the windows, 1 to 16, each on a processor core of its own; not \
            with --redis. [GRAPHD_REDIS_SHARDS] (default: 1)
            """)
    var redisShards: String?

    @Option(
        help: """
            Log level: trace, debug, info, notice, warning, error or critical. [GRAPHD_LOG_LEVEL] (default: info)
            """)
    var logLevel: String?

    @Option(help: "Log format: json or text. [GRAPHD_LOG_FORMAT] (default: json)")
    var logFormat: String?

    @Option(
        help: """
            File to append log lines to; SIGHUP opens it anew after a rotation. [GRAPHD_LOG_FILE] (default: standard \
            error)
            """)
    var logFile: String?

    @Option(
        help: """
            Base URL of an OpenTelemetry collector that receives traces over OTLP/HTTP, such as \
            http://127.0.0.1:4318. [GRAPHD_TRACES] (default: no traces)
            """)
    var traces: String?

    @Option(help: "Share of requests that are traced, 0 to 1. [GRAPHD_TRACE_RATIO] (default: 0.1)")
    var traceRatio: String?

    @Option(help: "Lifetime of a bearer token, such as 12h or 30d. [GRAPHD_TOKEN_LIFETIME] (default: 30d)")
    var tokenLifetime: String?

    @Option(
        help: """
            Lifetime of an unused session, at least that of a token. [GRAPHD_REFRESH_LIFETIME] \
            (default: 90d)
            """)
    var refreshLifetime: String?

    @Option(
        help: """
            Site roles that are in force only with an authenticator (TOTP): none, admins, or moderators, which \
            includes admins. [GRAPHD_REQUIRE_TOTP] (default: none)
            """)
    var requireTotp: String?

    @Option(
        help: """
            OpenID Connect issuer (claim iss) whose tokens are accepted besides graphd's own. Firebase: \
            https://securetoken.google.com/<project>. [GRAPHD_OIDC_ISSUER]
            """)
    var oidcIssuer: String?

    @Option(help: "Required audience (claim aud) of its tokens. Firebase: the project. [GRAPHD_OIDC_AUDIENCE]")
    var oidcAudience: String?

    @Option(help: "URL or path of its public keys, a JSON Web Key Set. [GRAPHD_OIDC_JWKS]")
    var oidcJwks: String?

    @Option(
        help: """
            Key file (JSON) of a Firebase service account, for push messages through Firebase Cloud Messaging. \
            [GRAPHD_FCM_SERVICE_ACCOUNT] (default: no push messages)
            """)
    var fcmServiceAccount: String?

    @Option(help: "URL of Firebase Cloud Messaging. [GRAPHD_FCM_URL] (default: https://fcm.googleapis.com)")
    var fcmUrl: String?

    @Option(
        help: """
            Webhooks: off, public (only addresses on the public internet) or anywhere (also private addresses, \
            for tests and closed networks). [GRAPHD_WEBHOOKS] (default: off)
            """)
    var webhooks: String?

    @Option(
        help: """
            Destination of mail to owners of accounts: smtp://[user:password@]host[:port] (with STARTTLS), \
            smtps://[user:password@]host[:port], webhook:URL or directory:PATH (one file a mail, for development). \
            [GRAPHD_MAIL] (default: no mail, and no resets of passwords)
            """)
    var mail: String?

    @Option(help: "Sender of mail, such as 'Example <noreply@example.org>'. [GRAPHD_MAIL_FROM]")
    var mailFrom: String?

    @Option(
        help: """
            Secret that signs the mails for a webhook: whsec_ and the Base64 of 24 to 64 random bytes. \
            [GRAPHD_MAIL_WEBHOOK_SECRET]
            """)
    var mailWebhookSecret: String?

    @Option(help: "Requests per second and caller; 0 means no limit. [GRAPHD_RATE_LIMIT] (default: 0)")
    var rateLimit: String?

    @Option(
        help: """
            Budgets of callers for log-ins, posts, searches and so on: on, or off for load tests. \
            [GRAPHD_LIMITS] (default: on)
            """)
    var limits: String?

    @Option(
        help: """
            Budgets that override the defaults (docs/limits.md), such as posts=1200/1m,searches=off. \
            [GRAPHD_RATES]
            """)
    var rates: String?

    @Option(
        help: """
            Addresses of reverse proxies, such as 192.0.2.0/24,2001:db8::1, whose Forwarded or X-Forwarded-For \
            headers are trusted. [GRAPHD_TRUSTED_PROXIES] (default: none)
            """)
    var trustedProxies: String?

    @Option(help: "Number of entries to which a window is trimmed, 16 to 1024. [GRAPHD_WINDOW_CAP] (default: 128)")
    var windowCap: String?

    @Option(
        help: "Time after which an unread window expires, such as 30d. [GRAPHD_WINDOW_IDLE] (default: 30d)")
    var windowIdle: String?

    @Option(
        help: """
            Follower count above which an author is a hub, whose posts are pulled instead of pushed; 0 means \
            never. [GRAPHD_HUB_THRESHOLD] (default: 10000)
            """)
    var hubThreshold: String?

    @Option(
        help: """
            Bucket of an S3 service for uploaded files: s3://bucket[/prefix]?endpoint=http://host:port&region=…; its \
            keys from GRAPHD_S3_ACCESS_KEY and GRAPHD_S3_SECRET_KEY, or credentials=PATH. [GRAPHD_MEDIA] (default: \
            media in the data directory)
            """)
    var media: String?

    @Option(help: "Maximum size of an uploaded video, in bytes. [GRAPHD_MAX_UPLOAD] (default: 268435456)")
    var maxUpload: String?

    @Option(help: "Maximum total size of the files of one user, in bytes. [GRAPHD_UPLOAD_QUOTA] (default: 5368709120)")
    var uploadQuota: String?

    @Option(help: "Maximum number of files of one user. [GRAPHD_UPLOAD_FILES] (default: 10000)")
    var uploadFiles: String?

    @Option(
        help: """
            Disk space that uploads leave free, in bytes, or 0; below an eighth of it, all writes are refused. \
            [GRAPHD_DISK_RESERVE] (default: 536870912)
            """)
    var diskReserve: String?

    @Option(
        help: """
            Refuse all changes: on or off. To switch it while the server runs: graphd read-only. \
            [GRAPHD_READ_ONLY] (default: off)
            """)
    var readOnly: String?

    @Option(
        help: """
            Ages from which data is removed, such as notifications=30d,logIns=30d (docs/operations/data.md). \
            [GRAPHD_RETENTION]
            """)
    var retention: String?

    @Flag(help: "Accept the time of this machine even if it is far from the time last seen.")
    var acceptClock = false

    @Option(
        help: """
            Public base URL of the server, for the URLs of stored files. [GRAPHD_PUBLIC_URL] (default: the address \
            it listens on)
            """)
    var publicUrl: String?

    @Option(
        help: """
            Base URL of files that everybody may see, such as that of a CDN in front of /media: \
            https://cdn.example.org/media. [GRAPHD_MEDIA_URL] (default: the server itself)
            """)
    var mediaUrl: String?

    @Option(
        help: """
            Dimension of embeddings, 1 to 4096. It is stored in the data directory; embeddings are refused until it \
            has been set. [GRAPHD_EMBEDDING_DIMENSION]
            """)
    var embeddingDimension: String?

    @Option(help: "JSON file with settings. [GRAPHD_CONFIG]")
    var config: String?

    /// Reads all settings and sets up logging, which exists once in a process.
    ///
    /// - Returns: a server, whose signals may be changed before it runs.
    func bootstrap(defaults: [Setting: String] = [:]) throws -> GraphServer {
        let configuration = try configuration(ProcessInfo.processInfo.environment, defaults: defaults)
        let (level, format) = (configuration.logLevel, configuration.logFormat)
        let file = try logFile(configuration)
        let sink: any LogSink = file ?? StandardErrorSink()
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, level: level, format: format, sink: sink)
        }
        return GraphServer(
            configuration: configuration, metrics: PrometheusRegistry(), logger: Logger(label: "graphd"), logFile: file)
    }

    private func logFile(_ configuration: ServerConfiguration) throws -> LogFile? {
        do {
            return try configuration.logFile.map { try LogFile(path: $0) }
        } catch let failure as LogFile.Unusable {
            throw CommandFailure(failure.description)
        }
    }

    /// Reads all settings.
    ///
    /// - Parameter defaults: values of variables that `environment` lacks.
    func configuration(
        _ environment: [String: String], defaults: [Setting: String] = [:]
    ) throws -> ServerConfiguration {
        var environment = environment
        for (setting, value) in defaults where environment[setting.environmentVariable] == nil {
            environment[setting.environmentVariable] = value
        }
        var configuration = try ServerConfiguration.load(commandLine: flags, environment: environment, file: config)
        configuration.acceptsClock = acceptClock
        return configuration
    }

    /// Returns the sources of all settings. Throws `ConfigurationError` for an unusable file.
    func sources(_ environment: [String: String]) throws -> SettingSources {
        try SettingSources(commandLine: flags, environment: environment, file: config)
    }

    private var flags: [Setting: String] {
        let given: [Setting: String?] = [
            .dataDir: dataDir, .database: database, .requireStandby: requireStandby, .staleReads: staleReads,
            .host: host, .port: port, .adminAddress: adminAddress,
            .corsOrigins: corsOrigins, .tlsCertificate: tlsCertificate, .tlsKey: tlsKey,
            .maxConnections: maxConnections, .maxConnectionsPerAddress: maxConnectionsPerAddress,
            .headerTimeout: headerTimeout, .bodyTimeout: bodyTimeout, .idleTimeout: idleTimeout, .watchdog: watchdog,
            .redis: redis, .redisShards: redisShards, .logLevel: logLevel, .logFormat: logFormat, .logFile: logFile,
            .traces: traces, .traceRatio: traceRatio,
            .tokenLifetime: tokenLifetime, .refreshLifetime: refreshLifetime, .requireTotp: requireTotp,
            .oidcIssuer: oidcIssuer, .oidcAudience: oidcAudience, .oidcJwks: oidcJwks,
            .fcmServiceAccount: fcmServiceAccount, .fcmUrl: fcmUrl,
            .webhooks: webhooks, .mail: mail, .mailFrom: mailFrom, .mailWebhookSecret: mailWebhookSecret,
            .rateLimit: rateLimit, .limits: limits, .rates: rates,
            .trustedProxies: trustedProxies,
            .windowCap: windowCap, .windowIdle: windowIdle, .hubThreshold: hubThreshold, .media: media,
            .maxUpload: maxUpload,
            .uploadQuota: uploadQuota,
            .uploadFiles: uploadFiles, .diskReserve: diskReserve, .readOnly: readOnly, .retention: retention,
            .publicUrl: publicUrl, .mediaUrl: mediaUrl, .embeddingDimension: embeddingDimension,
        ]
        return given.compactMapValues(\.self)
    }
}
