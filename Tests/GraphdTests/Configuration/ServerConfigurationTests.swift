import Database
import Foundation
import HTTPMiddleware
import Logging
import Mail
import RedisClient
import TestSupport
import Testing
import Timeline

@testable import GraphHTTP
@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct ServerConfigurationTests {
    private func withFile(_ text: String, _ body: (String) throws -> Void) throws {
        let path = temporaryPath("configuration") + ".json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func message(
        commandLine: [Setting: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) -> String? {
        let error = #expect(throws: ConfigurationError.self) {
            try ServerConfiguration.load(commandLine: commandLine, environment: environment, file: file)
        }
        return error?.description
    }

    @Test func `with nothing given the defaults hold`() throws {
        let configuration = try ServerConfiguration.load(environment: ["PATH": "/bin", "GRAPHD_REDIS": ""])
        #expect(configuration == ServerConfiguration())
        #expect(configuration.dataDirectory == "./data")
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.redis == nil)
        #expect(configuration.logLevel == .info)
        #expect(configuration.tokenLifetime == .seconds(2_592_000))
        #expect(configuration.refreshLifetime == .seconds(7_776_000))
        #expect(configuration.rateLimit == 0)
        #expect(configuration.limits)
        #expect(configuration.ratesInForce[.posts] == Rate(600, per: .seconds(60)))
        #expect(configuration.ratesInForce[.requests] == nil)
        #expect(configuration.trustedProxies == .none)
        #expect(configuration.windowCap == 128)
        #expect(configuration.windowIdle == .seconds(2_592_000))
        #expect(configuration.hubThreshold == 10_000)
        #expect(configuration.maxUpload == 268_435_456)
        #expect(configuration.publicURL == nil)
    }

    @Test func `ages of data are read, each within its bounds`() throws {
        func retention(_ text: String) throws -> [RetainedData: Int64] {
            try ServerConfiguration.load(environment: ["GRAPHD_RETENTION": text]).retention
        }
        #expect(
            try retention("notifications=30d, logIns=3660d,streamEvents=10m")
                == [
                    .notifications: 30 * Milliseconds.day, .logIns: 3_660 * Milliseconds.day,
                    .streamEvents: 10 * Milliseconds.minute,
                ])
        for data in RetainedData.allCases {
            #expect(data.ages.contains(data.standard))
            #expect(try retention("\(data.rawValue)=\(data.ages.lowerBound / 1_000)s")[data] == data.ages.lowerBound)
        }
        for text in [
            "notifications", "notifications=", "notifications=23h", "notifications=3661d", "notes=30d", "=30d",
            "notifications=30d,", "notifications=30d,notifications=31d", "streamEvents=9m", "webhookEvents=1d=2d",
        ] {
            let error = #expect(throws: ConfigurationError.self) { try retention(text) }
            #expect(error?.description.contains("streamEvents (10m to 7d)") == true, "\(String(describing: error))")
        }
    }

    @Test func `origins and the certificate are read, the latter as a pair`() throws {
        let pair: [Setting: String] = [.tlsCertificate: "/c.pem", .tlsKey: "/k.pem", .corsOrigins: "https://a.example"]
        let configuration = try ServerConfiguration.load(commandLine: pair, environment: [:])
        #expect(configuration.certificate == CertificateFiles(chain: "/c.pem", key: "/k.pem"))
        #expect(configuration.corsOrigins == .listed(["https://a.example"]))
        for flag in [Setting.tlsCertificate, .tlsKey] {
            #expect(
                message(commandLine: [flag: "/x.pem"])
                    == "--tls-certificate and --tls-key must be given together or not at all")
        }
    }

    @Test func `the command line beats the environment beats the file`() throws {
        try withFile(#"{"port":1,"host":"file","windowCap":16,"logLevel":"debug","redis":null}"#) { path in
            let environment = ["GRAPHD_PORT": "2", "GRAPHD_HOST": "environment", "GRAPHD_CONFIG": path]
            let configuration = try ServerConfiguration.load(commandLine: [.port: "3"], environment: environment)
            #expect(configuration.port == 3)
            #expect(configuration.host == "environment")
            #expect(configuration.windowCap == 16)
            #expect(configuration.logLevel == .debug)
        }
    }

    @Test func `mail needs a destination, a sender and, for a webhook, a secret`() throws {
        let secret = "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString()
        func load(_ settings: [Setting: String]) throws -> MailConfiguration? {
            try ServerConfiguration.load(commandLine: settings, environment: [:]).mail
        }
        #expect(try load([:]) == nil)
        #expect(try load([.mail: "directory:/m", .mailFrom: "no@a.example"])?.destination == .directory("/m"))
        let hook = try load([.mail: "webhook:https://a.example/m", .mailFrom: "a@b", .mailWebhookSecret: secret])
        #expect(hook?.secret.count == 32)
        for settings: [Setting: String] in [
            [.mail: "directory:/m"], [.mail: "smtp://u:hidden@", .mailFrom: "a@b"],
            [.mail: "webhook:https://a.example/m", .mailFrom: "a@b"],
            [.mail: "webhook:https://u:hidden@a.example/m", .mailFrom: "a@b", .mailWebhookSecret: secret],
            [.mail: "directory:/m", .mailFrom: "nobody"], [.mail: "hidden", .mailFrom: "a@b"],
            [.mail: "directory:/m", .mailFrom: "a@b", .mailWebhookSecret: "whsec_hidden"],
        ] {
            let error = #expect(throws: ConfigurationError.self, "\(settings)") { try load(settings) }
            #expect(error?.description.contains("hidden") == false, "\(error?.description ?? "")")
        }
    }

    @Test func `every variable is read`() throws {
        let configuration = try ServerConfiguration.load(environment: [
            "GRAPHD_DATA_DIR": "/d", "GRAPHD_HOST": "::1", "GRAPHD_PORT": "0", "GRAPHD_REDIS": "redis://:pw@r:7/2",
            "GRAPHD_LOG_LEVEL": "trace", "GRAPHD_LOG_FORMAT": "text", "GRAPHD_TOKEN_LIFETIME": "12h",
            "GRAPHD_RATE_LIMIT": "50", "GRAPHD_WINDOW_CAP": "1024", "GRAPHD_WINDOW_IDLE": "90s",
            "GRAPHD_HUB_THRESHOLD": "0", "GRAPHD_REFRESH_LIFETIME": "45d",
            "GRAPHD_MAX_UPLOAD": "1048576", "GRAPHD_PUBLIC_URL": "https://a.example/b/",
            "GRAPHD_MEDIA_URL": "https://cdn.example/media/",
            "GRAPHD_EMBEDDING_DIMENSION": "384", "GRAPHD_LIMITS": "off", "GRAPHD_RATES": "posts=5/2m, logIns=off",
            "GRAPHD_TRUSTED_PROXIES": "192.0.2.0/24",
            "GRAPHD_UPLOAD_QUOTA": "7", "GRAPHD_UPLOAD_FILES": "8",
            "GRAPHD_DISK_RESERVE": "9",
        ])
        #expect(
            configuration
                == ServerConfiguration(
                    dataDirectory: "/d", host: "::1", port: 0,
                    redis: .servers([
                        RedisConfiguration(endpoint: .tcp(host: "r", port: 7), password: "pw", database: 2)
                    ]),
                    logLevel: .trace, logFormat: .text, tokenLifetime: .seconds(43_200),
                    refreshLifetime: .seconds(3_888_000), rateLimit: 50, limits: false,
                    rates: [.posts: Rate(5, per: .seconds(120)), .logIns: nil],
                    trustedProxies: try #require(TrustedProxies("192.0.2.0/24")),
                    windowCap: 1024, windowIdle: .seconds(90), hubThreshold: 0, maxUpload: 1_048_576,
                    uploadQuota: 7, uploadFiles: 8, diskReserve: 9,
                    publicURL: "https://a.example/b", mediaURL: "https://cdn.example/media",
                    embeddingDimension: 384))
    }

    @Test(arguments: [
        ("GRAPHD_PORT", "65536", "0 to 65535"), ("GRAPHD_PORT", "x", "whole number"),
        ("GRAPHD_WINDOW_CAP", "15", "16 to 1024"), ("GRAPHD_WINDOW_CAP", "1025", "16 to 1024"),
        ("GRAPHD_LOG_LEVEL", "loud", "warning"), ("GRAPHD_LOG_FORMAT", "xml", "json, text"),
        ("GRAPHD_REFRESH_LIFETIME", "367d", "366d"), ("GRAPHD_TOKEN_LIFETIME", "59s", "60s"),
        ("GRAPHD_TOKEN_LIFETIME", "d", "30d"),
        ("GRAPHD_TOKEN_LIFETIME", "99999999999999999999d", "30d"), ("GRAPHD_RATE_LIMIT", "-1", "0 to 100000"),
        ("GRAPHD_REDIS_SHARDS", "0", "1 to 16"), ("GRAPHD_REDIS_SHARDS", "17", "1 to 16"),
        ("GRAPHD_REDIS", "http://x", "redis://"), ("GRAPHD_WINDOW_IDLE", "59s", "60s to 366d"),
        ("GRAPHD_WINDOW_IDLE", "367d", "60s to 366d"), ("GRAPHD_WINDOW_IDLE", "0", "60s to 366d"),
        ("GRAPHD_MAX_UPLOAD", "1048575", "1048576 to 68719476736"), ("GRAPHD_PUBLIC_URL", "a.example", "absolute URL"),
        ("GRAPHD_PUBLIC_URL", "https://a.example/?b", "without a query"),
        ("GRAPHD_MEDIA_URL", "/media", "absolute URL"), ("GRAPHD_MEDIA_URL", "ftp://a.example/", "https://"),
        ("GRAPHD_MEDIA_URL", "https://a.example/?b", "query"), ("GRAPHD_MEDIA_URL", "https://a.example/#b", "fragment"),
        ("GRAPHD_MEDIA_URL", "https://u:p@a.example/", "without user name"),
        ("GRAPHD_MEDIA_URL", "https://a.example/" + String(repeating: "m", count: 1_024), "at most 1024 bytes"),
        ("GRAPHD_CORS_ORIGINS", "app.example.org", "https://app.example.org,"),
        ("GRAPHD_CORS_ORIGINS", "https://a.example/", "host and a port only"), ("GRAPHD_CORS_ORIGINS", "null", "*, or"),
        ("GRAPHD_LIMITS", "no", "on or off"), ("GRAPHD_RATES", "posts", "posts=600/1m"),
        ("GRAPHD_RATES", "posts=0/1m", "budgets are"), ("GRAPHD_RATES", "posts=5/2d", "budgets are"),
        ("GRAPHD_RATES", "posts=5/1m,posts=6/1m", "budgets are"), ("GRAPHD_RATES", "nothing=5/1m", "wrongPasswords"),
        ("GRAPHD_RATES", "requests=5/1m", "budgets are"), ("GRAPHD_TRUSTED_PROXIES", "192.0.2.1/24", "192.0.2.0/24"),
        ("GRAPHD_HUB_THRESHOLD", "-1", "0 to 1000000000"), ("GRAPHD_EMBEDDING_DIMENSION", "0", "1 to 4096"),
        ("GRAPHD_EMBEDDING_DIMENSION", "4097", "1 to 4096"), ("GRAPHD_DISK_RESERVE", "-1", "whole number"),
        ("GRAPHD_UPLOAD_QUOTA", "5G", "whole number"), ("GRAPHD_UPLOAD_FILES", "-1", "0 to 1000000000"),
        ("GRAPHD_HUB_THRESHOLD", "1000000001", "0 to 1000000000"), ("GRAPHD_HUB_THRESHOLD", "10k", "whole number"),
    ])
    func `a bad value names its place and what would be right`(_ name: String, _ value: String, _ right: String) {
        let message = message(environment: [name: value])
        #expect(message?.hasPrefix("\(name) in the environment must be ") == true)
        #expect(message?.contains(right) == true)
    }

    @Test(arguments: [("60s", 60), ("60", 60), ("2m", 120), ("366d", 366 * 86_400)])
    func `a window may idle from a minute to a year`(_ text: String, _ seconds: Int64) throws {
        let configuration = try ServerConfiguration.load(commandLine: [.windowIdle: text], environment: [:])
        #expect(configuration.windowIdle == .seconds(seconds))
    }

    @Test(arguments: [0, 1, 1_000_000_000])
    func `the hub threshold is read from the file too`(_ threshold: Int) throws {
        try withFile(#"{"hubThreshold":\#(threshold),"windowIdle":"12h"}"#) { path in
            let configuration = try ServerConfiguration.load(environment: [:], file: path)
            #expect(configuration.hubThreshold == threshold && configuration.windowIdle == .seconds(43_200))
        }
    }

    @Test func `a bad flag is named as a flag`() {
        #expect(message(commandLine: [.dataDir: ""])?.hasPrefix("--data-dir on the command line") == true)
        #expect(message(commandLine: [.port: "1e3"])?.contains("got \"1e3\"") == true)
    }

    @Test func `several shards are refused with a Redis of others, and one is not`() throws {
        let redis: [Setting: String] = [.redis: "redis://r:7"]
        let text = message(commandLine: redis.merging([.redisShards: "2"]) { $1 })
        #expect(text?.contains("--redis-shards") == true && text?.contains("must be 1 with --redis") == true)
        let one = try ServerConfiguration.load(
            commandLine: redis.merging([.redisShards: "1"]) { $1 }, environment: [:])
        #expect(one.redisShards == 1 && one.redis != nil)
        #expect(try ServerConfiguration.load(environment: ["GRAPHD_REDIS_SHARDS": "16"]).redisShards == 16)
    }

    @Test func `a Redis password is not repeated`() {
        let message = message(environment: ["GRAPHD_REDIS": "redis://:hunter2@"])
        #expect(message?.contains("hunter2") == false)
    }

    @Test(arguments: [
        (#"{"prot":1}"#, "\"prot\""), (#"{"port":1,"port":2}"#, "occurs twice"), (#"{"port":true}"#, "whole number"),
        (#"{"port":1.5}"#, "whole number"), ("[]", "one JSON object"), ("{", "ends too early"),
        (#"{"port":70000}"#, "\"port\" in "),
    ])
    func `a bad file is refused`(_ text: String, _ part: String) throws {
        try withFile(text) { path in
            let message = message(file: path)
            #expect(message?.contains(part) == true)
            #expect(message?.contains(path) == true)
        }
    }

    @Test func `a named file must exist`() {
        #expect(message(file: "/nowhere.json")?.contains("/nowhere.json") == true)
        #expect(message(environment: ["GRAPHD_CONFIG": "/nowhere.json"])?.contains("/nowhere.json") == true)
    }

    @Test func `settings are spelled as documented`() {
        #expect(Setting.tokenLifetime.environmentVariable == "GRAPHD_TOKEN_LIFETIME")
        #expect(Setting.logFormat.flag == "--log-format")
        #expect(Setting.windowIdle.flag == "--window-idle")
        #expect(Setting.hubThreshold.environmentVariable == "GRAPHD_HUB_THRESHOLD")
    }

    @Test func `limits off leaves the rate of all requests alone`() throws {
        let configuration = try ServerConfiguration.load(
            environment: ["GRAPHD_LIMITS": "off", "GRAPHD_RATE_LIMIT": "7", "GRAPHD_RATES": "posts=5/1m"])
        #expect(configuration.ratesInForce == [.requests: Rate(7, per: .seconds(1))])
        let on = try ServerConfiguration.load(environment: ["GRAPHD_RATES": "posts=5/1m,logIns=off"])
        #expect(on.ratesInForce[.posts] == Rate(5, per: .seconds(60)))
        #expect(on.ratesInForce[.logIns] == nil && on.ratesInForce[.signUps] != nil)
    }
}
