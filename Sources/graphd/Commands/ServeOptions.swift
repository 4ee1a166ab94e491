import ArgumentParser
import Foundation
import GraphServices
import Logging
import Metrics

/// The settings of a server as flags. Absent ones come from the environment, then from the configuration file.
struct ServeOptions: ParsableArguments {
    @Option(help: "Where everything is kept; made if it is not there. [GRAPHD_DATA_DIR] (default: ./data)")
    var dataDir: String?

    @Option(help: "Address to listen on. [GRAPHD_HOST] (default: 127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on; 0 lets the system choose. [GRAPHD_PORT] (default: 8080)")
    var port: String?

    @Option(
        help: """
            An address of its own, HOST:PORT, for /metrics and the details of /readyz; whoever reaches it is told. \
            [GRAPHD_ADMIN_ADDRESS] (default: callers on this machine are told where everything else is served)
            """)
    var adminAddress: String?

    @Option(
        help: """
            Connections served at once, 16 to 1000000; lowered where there are too few file descriptors. \
            [GRAPHD_MAX_CONNECTIONS] (default: 30000)
            """)
    var maxConnections: String?

    @Option(
        help: """
            Connections of one address (IPv6: of one /64), up to 1000000; 0 is no limit. \
            [GRAPHD_MAX_CONNECTIONS_PER_ADDRESS] (default: 1000)
            """)
    var maxConnectionsPerAddress: String?

    @Option(help: "Time for the header of a request, 1s to 60m. [GRAPHD_HEADER_TIMEOUT] (default: 20s)")
    var headerTimeout: String?

    @Option(
        help: """
            Time in which a body, or the reader of an answer, must get on by 16 KiB or to the end, 1s to 60m. \
            [GRAPHD_BODY_TIMEOUT] (default: 30s)
            """)
    var bodyTimeout: String?

    @Option(help: "Time between two requests of a connection, 1s to 60m. [GRAPHD_IDLE_TIMEOUT] (default: 75s)")
    var idleTimeout: String?

    @Option(
        help: """
            How long threads that serve may stand still before the process ends, to be started anew by its supervisor: \
            10s to 60m, or off. [GRAPHD_WATCHDOG] (default: 60s)
            """)
    var watchdog: String?

    @Option(
        help: """
            An outside Redis: redis://[user:password@]host:port/database, unix:///path/to.sock or a path. Without \
            it, a private redis-server is run in the data directory. [GRAPHD_REDIS]
            """)
    var redis: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical. [GRAPHD_LOG_LEVEL] (default: info)")
    var logLevel: String?

    @Option(help: "json or text. [GRAPHD_LOG_FORMAT] (default: json)")
    var logFormat: String?

    @Option(help: "How long a token is valid, such as 12h or 30d. [GRAPHD_TOKEN_LIFETIME] (default: 30d)")
    var tokenLifetime: String?

    @Option(
        help: """
            How long a session lasts that is not used, at least as long as a token. [GRAPHD_REFRESH_LIFETIME] \
            (default: 90d)
            """)
    var refreshLifetime: String?

    @Option(
        help: """
            An issuer whose tokens are accepted beside our own: what they say in iss. Firebase: \
            https://securetoken.google.com/<project>. [GRAPHD_OIDC_ISSUER]
            """)
    var oidcIssuer: String?

    @Option(help: "What its tokens must say in aud. Firebase: the project. [GRAPHD_OIDC_AUDIENCE]")
    var oidcAudience: String?

    @Option(help: "Its public keys, a JSON Web Key Set: a URL or the path of a file. [GRAPHD_OIDC_JWKS]")
    var oidcJwks: String?

    @Option(
        help: """
            The key file (JSON) of a service account of Firebase: devices are told by Firebase Cloud Messaging. \
            [GRAPHD_FCM_SERVICE_ACCOUNT] (default: devices are told nothing)
            """)
    var fcmServiceAccount: String?

    @Option(help: "Where Firebase Cloud Messaging is. [GRAPHD_FCM_URL] (default: https://fcm.googleapis.com)")
    var fcmUrl: String?

    @Option(
        help: """
            Webhooks of users: off, public (at addresses of the public internet) or anywhere (also at private ones: \
            for tests and closed networks). [GRAPHD_WEBHOOKS] (default: off)
            """)
    var webhooks: String?

    @Option(help: "Requests a second for each caller; 0 is no limit. [GRAPHD_RATE_LIMIT] (default: 0)")
    var rateLimit: String?

    @Option(
        help: """
            on or off: whether callers have budgets of log-ins, posts, searches and so on. off is for load tests. \
            [GRAPHD_LIMITS] (default: on)
            """)
    var limits: String?

    @Option(
        help: """
            Budgets that differ from the standard ones (docs/limits.md), such as posts=1200/1m,searches=off. \
            [GRAPHD_RATES]
            """)
    var rates: String?

    @Option(
        help: """
            Addresses of reverse proxies, such as 192.0.2.0/24,2001:db8::1, whose Forwarded or X-Forwarded-For says \
            where a request came from. [GRAPHD_TRUSTED_PROXIES] (default: nobody's)
            """)
    var trustedProxies: String?

    @Option(help: "Entries that a stored window is trimmed to, 16 to 1024. [GRAPHD_WINDOW_CAP] (default: 128)")
    var windowCap: String?

    @Option(
        help: "How long a stored window is kept without being read, such as 30d. [GRAPHD_WINDOW_IDLE] (default: 30d)")
    var windowIdle: String?

    @Option(
        help: """
            Followers above which an author's posts are merged at the read instead of pushed to every follower; 0 is \
            never. [GRAPHD_HUB_THRESHOLD] (default: 10000)
            """)
    var hubThreshold: String?

    @Option(help: "Largest video that can be uploaded, in bytes. [GRAPHD_MAX_UPLOAD] (default: 268435456)")
    var maxUpload: String?

    @Option(help: "Bytes that the files of one user may come to. [GRAPHD_UPLOAD_QUOTA] (default: 5368709120)")
    var uploadQuota: String?

    @Option(help: "Files that one user may store. [GRAPHD_UPLOAD_FILES] (default: 10000)")
    var uploadFiles: String?

    @Option(
        help: """
            Bytes of the disk that uploads leave free; below an eighth of it, nothing else is added either. 0 is none. \
            [GRAPHD_DISK_RESERVE] (default: 536870912)
            """)
    var diskReserve: String?

    @Flag(help: "The time of this machine is right, also where it is far from the time seen last.")
    var acceptClock = false

    @Option(
        help: """
            Where clients reach the server, for the URLs of stored files. [GRAPHD_PUBLIC_URL] (default: the address it \
            listens on)
            """)
    var publicUrl: String?

    @Option(
        help: """
            Components of every embedding, 1 to 4096. It is stored with the data directory; until it has been given \
            once, embeddings are refused. [GRAPHD_EMBEDDING_DIMENSION]
            """)
    var embeddingDimension: String?

    @Option(help: "A JSON file of settings. [GRAPHD_CONFIG]")
    var config: String?

    /// Reads all settings and sets up logging and metrics, which exist once in a process.
    func bootstrap(
        defaults: [Setting: String] = [:]
    ) throws -> (configuration: ServerConfiguration, logger: Logger, metrics: PrometheusRegistry) {
        var environment = ProcessInfo.processInfo.environment
        for (setting, value) in defaults where environment[setting.environmentVariable] == nil {
            environment[setting.environmentVariable] = value
        }
        var configuration = try ServerConfiguration.load(commandLine: flags, environment: environment, file: config)
        configuration.acceptsClock = acceptClock
        let (level, format) = (configuration.logLevel, configuration.logFormat)
        let sink = StandardErrorSink()
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, level: level, format: format, sink: sink)
        }
        let metrics = PrometheusRegistry()
        MetricsSystem.bootstrap(metrics)
        return (configuration, Logger(label: "graphd"), metrics)
    }

    private var flags: [Setting: String] {
        let given: [Setting: String?] = [
            .dataDir: dataDir, .host: host, .port: port, .adminAddress: adminAddress,
            .maxConnections: maxConnections, .maxConnectionsPerAddress: maxConnectionsPerAddress,
            .headerTimeout: headerTimeout, .bodyTimeout: bodyTimeout, .idleTimeout: idleTimeout, .watchdog: watchdog,
            .redis: redis, .logLevel: logLevel, .logFormat: logFormat,
            .tokenLifetime: tokenLifetime, .refreshLifetime: refreshLifetime, .oidcIssuer: oidcIssuer,
            .oidcAudience: oidcAudience, .oidcJwks: oidcJwks, .fcmServiceAccount: fcmServiceAccount, .fcmUrl: fcmUrl,
            .webhooks: webhooks, .rateLimit: rateLimit, .limits: limits, .rates: rates,
            .trustedProxies: trustedProxies,
            .windowCap: windowCap, .windowIdle: windowIdle, .hubThreshold: hubThreshold, .maxUpload: maxUpload,
            .uploadQuota: uploadQuota,
            .uploadFiles: uploadFiles, .diskReserve: diskReserve,

            .publicUrl: publicUrl, .embeddingDimension: embeddingDimension,
        ]
        return given.compactMapValues(\.self)
    }
}
