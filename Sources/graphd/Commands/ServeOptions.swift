import ArgumentParser
import Foundation
import Logging
import Metrics

/// The settings of a server as flags. What is not given comes from the environment, then from the configuration file.
struct ServeOptions: ParsableArguments {
    @Option(help: "Where everything is kept; made if it is not there. [GRAPHD_DATA_DIR] (default: ./data)")
    var dataDir: String?

    @Option(help: "Address to listen on. [GRAPHD_HOST] (default: 127.0.0.1)")
    var host: String?

    @Option(help: "Port to listen on; 0 lets the system choose. [GRAPHD_PORT] (default: 8080)")
    var port: String?

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

    @Option(
        help: """
            Where clients reach the server, for the URLs of stored files. [GRAPHD_PUBLIC_URL] (default: the address it \
            listens on)
            """)
    var publicUrl: String?

    @Option(
        help: """
            Components of every embedding, 1 to 4096; without it, the first embedding decides. \
            [GRAPHD_EMBEDDING_DIMENSION]
            """)
    var embeddingDimension: String?

    @Option(help: "A JSON file of settings. [GRAPHD_CONFIG]")
    var config: String?

    /// Reads all settings and sets up what a process has one of: logging and metrics.
    func bootstrap(
        defaults: [Setting: String] = [:]
    ) throws -> (configuration: ServerConfiguration, logger: Logger, metrics: PrometheusRegistry) {
        var environment = ProcessInfo.processInfo.environment
        for (setting, value) in defaults where environment[setting.environmentVariable] == nil {
            environment[setting.environmentVariable] = value
        }
        let configuration = try ServerConfiguration.load(commandLine: flags, environment: environment, file: config)
        let sink = StandardErrorSink()
        LoggingSystem.bootstrap { label in
            LineLogHandler(label: label, level: configuration.logLevel, format: configuration.logFormat, sink: sink)
        }
        let metrics = PrometheusRegistry()
        MetricsSystem.bootstrap(metrics)
        return (configuration, Logger(label: "graphd"), metrics)
    }

    private var flags: [Setting: String] {
        let given: [Setting: String?] = [
            .dataDir: dataDir, .host: host, .port: port, .redis: redis, .logLevel: logLevel, .logFormat: logFormat,
            .tokenLifetime: tokenLifetime, .refreshLifetime: refreshLifetime, .oidcIssuer: oidcIssuer,
            .oidcAudience: oidcAudience, .oidcJwks: oidcJwks, .fcmServiceAccount: fcmServiceAccount, .fcmUrl: fcmUrl,
            .webhooks: webhooks, .rateLimit: rateLimit,
            .windowCap: windowCap, .windowIdle: windowIdle, .hubThreshold: hubThreshold, .maxUpload: maxUpload,
            .publicUrl: publicUrl, .embeddingDimension: embeddingDimension,
        ]
        return given.compactMapValues(\.self)
    }
}
