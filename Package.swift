// swift-tools-version: 6.2
import PackageDescription

// Settings are declared above `package`: computed ones below it are silently ignored.

// Lets tests import internal declarations of an optimised build. As a flag of the command line, it would also keep
// those of all packages from being removed.
let testable: [SwiftSetting] =
    Context.environment["GRAPHD_TESTABLE"] == nil
    ? [] : [.unsafeFlags(["-enable-testing"], .when(configuration: .release))]

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ] + testable

// How a debug build compiles: several files at a time, instead of a whole target by one process.
let inBatches = ["-no-whole-module-optimization", "-enable-batch-mode"]

// Tests call optimised libraries in a release build, but optimising the tests themselves costs more than it saves.
// In batches of files, both cores compile a target.
let tests: [SwiftSetting] =
    strict + [.unsafeFlags(["-Onone"] + inBatches, .when(configuration: .release))]

// Models that tests search in many thousands of histories are optimised even in a debug build, and so is what makes the
// bodies of large requests.
let models: [SwiftSetting] =
    strict + [
        .unsafeFlags(["-O"], .when(configuration: .debug)),
        .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
    ]

// Coding of the client's 400 types, optimised in batches of files, takes 88 s of processor time; file by file 102 s.
let client: [SwiftSetting] =
    strict + [.unsafeFlags(inBatches, .when(configuration: .release))]

// The commit that "graphd --version" names. The Makefile sets it.
let commit = Context.environment["GRAPHD_COMMIT"] ?? "unknown"

// The files of the console, embedded in the binary.
let consoleFiles = [
    "acting.js", "api.js", "app.js", "appeals.js", "base.css", "charts.js", "communities.js", "dashboard.js",
    "dom.js", "explorer.js", "icon.svg", "index.html", "media.js", "modlog.js", "narrow.css", "parts.js",
    "people.js", "queue.js", "reports.js", "rules.js", "views.css", "worklist.js",
]

// The files of the demo page, embedded in the binary.
let demoFiles = [
    "acts.js", "algorithms.js", "card.js", "comments.js", "demo.html", "demo.js", "elements.js", "feed.js", "frame.css",
    "poster.js", "posts.css", "scenes.js", "session.js", "sheets.js", "stream.js", "suggestions.js", "theme.js",
    "timeline.js", "why.js",
]

// The files of the page about the API, embedded in the binary.
let referenceFiles = ["description.js", "reference.css", "reference.html", "reference.js", "yaml.js"]

let package = Package(
    name: "graphd",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "graphd", targets: ["graphd"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-algorithms", from: "1.2.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.0"),
    ],
    targets: [
        .target(
            name: "TracingSpans",
            dependencies: [
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Database",
            dependencies: [
                "Coordination",
                "TracingSpans",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .systemLibrary(name: "CPQ"),
        .target(
            name: "PostgreSQL",
            dependencies: [
                "CPQ", "Coordination", "Database", "TracingSpans",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),
        .target(name: "Text", swiftSettings: strict),
        .target(
            name: "SocialGraph",
            dependencies: [
                "Database", "Text",
                .product(name: "Algorithms", package: "swift-algorithms"),
            ],
            swiftSettings: strict
        ),
        .target(name: "Privacy", dependencies: ["Database", "SocialGraph", "Text"], swiftSettings: strict),
        .target(name: "Audit", dependencies: ["Database", "SocialGraph"], swiftSettings: strict),
        .target(name: "Saves", dependencies: ["Database", "SocialGraph", "Text"], swiftSettings: strict),
        .target(
            name: "MediaJobs",
            dependencies: ["Database", "GraphAPI", "SocialGraph", "StrictJSON"],
            swiftSettings: strict
        ),
        .target(
            name: "Importing",
            dependencies: [
                "Audit", "Database", "SocialGraph", "Text",
                .product(name: "Algorithms", package: "swift-algorithms"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Moderation",
            dependencies: [
                "Audit", "Database", "Sessions", "SocialGraph", "Text",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Push",
            dependencies: ["Audit", "Database", "SocialGraph", "Text"],
            swiftSettings: strict
        ),
        .target(
            name: "Sessions",
            dependencies: [
                "Audit", "Database", "SocialGraph", "Text",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        .target(name: "Idempotency", dependencies: ["Database", "SocialGraph"], swiftSettings: strict),
        .target(
            name: "GraphAssembly",
            dependencies: [
                "Audit", "Database", "Discovery", "Idempotency", "MediaJobs", "Moderation", "PostgreSQL", "Push",
                "Saves", "Sessions", "SocialGraph",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Mail",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        .target(name: "CBuildInfo", cSettings: [.define("GRAPHD_COMMIT", to: "\"\(commit)\"")]),
        .target(name: "COpenAPI"),
        .target(name: "CProcesses"),
        .systemLibrary(name: "CClock"),
        .target(name: "Processes", dependencies: ["CProcesses"], swiftSettings: strict),
        .systemLibrary(name: "CHiredis"),
        .target(
            name: "RedisClient",
            dependencies: [
                "CHiredis", "Processes", "TracingSpans",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Coordination",
            dependencies: [.product(name: "DequeModule", package: "swift-collections")],
            swiftSettings: strict
        ),
        .target(
            name: "Timeline",
            dependencies: [
                "Coordination", "Database", "RedisClient", "Saves", "SocialGraph", "Text", "TracingSpans",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Discovery",
            dependencies: [
                "Database", "SocialGraph", "Text",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "HeapModule", package: "swift-collections"),
            ],
            resources: [.embedInCode("Segments/thesaurus.txt")],
            swiftSettings: strict
        ),
        .target(name: "GraphAPI", swiftSettings: strict),
        // The package in clients/swift, which is built and tested with this one, too.
        .target(
            name: "GraphdClient",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "clients/swift/Sources/GraphdClient",
            swiftSettings: client
        ),
        .target(
            name: "TracingExport",
            dependencies: [
                "GraphAPI", "TracingSpans",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(name: "StrictJSON", dependencies: ["Text"], swiftSettings: strict),
        .target(
            name: "CommandSupport",
            dependencies: [
                "Audit", "Database", "GraphAPI", "GraphAssembly", "PostgreSQL", "SocialGraph", "StrictJSON",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Backup",
            dependencies: [
                "Audit", "CommandSupport", "Database", "GraphAPI", "GraphAssembly", "GraphServices", "Importing",
                "MediaFiles", "ObjectStorage", "PostgreSQL", "Processes", "RedisClient", "Sessions", "SocialGraph",
                "StrictJSON", "Timeline",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ModerationCommands",
            dependencies: [
                "Audit", "CommandSupport", "Database", "GraphAPI", "GraphdClient", "GraphServices", "Moderation",
                "Sessions", "SocialGraph", "StrictJSON",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GraphServices",
            dependencies: [
                "CBuildInfo", "Coordination", "Database", "Discovery", "GraphAPI", "MediaJobs", "Moderation", "Privacy",
                "Push", "Sessions", "SocialGraph", "StrictJSON", "Text", "Timeline", "TracingSpans",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ObjectStorage",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "MediaFiles",
            dependencies: [
                "Coordination", "Database", "GraphServices", "MediaJobs", "ObjectStorage", "Processes", "SocialGraph",
                "StrictJSON", "Text",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .systemLibrary(name: "CZlib"),
        .target(
            name: "HTTPMiddleware",
            dependencies: [
                "CZlib", "TracingSpans",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AccountSecurity",
            dependencies: [
                "Database", "GraphAPI", "GraphServices", "Mail", "Sessions", "SocialGraph",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GraphHTTP",
            dependencies: [
                "AccountSecurity", "Audit", "COpenAPI", "Database", "Discovery", "GraphAPI", "GraphServices",
                "HTTPMiddleware",
                "Idempotency", "MediaFiles", "MediaJobs", "Moderation", "Privacy", "Push", "Saves", "Sessions",
                "SocialGraph", "StrictJSON", "Text", "Timeline", "TracingSpans",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: consoleFiles.map { .embedInCode("Console/Assets/\($0)") }
                + demoFiles.map { .embedInCode("Demo/Assets/\($0)") }
                + referenceFiles.map { .embedInCode("Reference/Assets/\($0)") },
            swiftSettings: strict
        ),
        .target(
            name: "ProductAPIs",
            dependencies: [
                "Database", "Discovery", "GraphAPI", "GraphHTTP", "GraphServices", "MediaFiles", "Saves", "SocialGraph",
                "StrictJSON", "Timeline",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AppWebhooks",
            dependencies: [
                "Coordination", "Database", "GraphAPI", "GraphHTTP", "GraphServices", "MediaJobs", "Moderation", "Push",
                "SocialGraph",
                "Timeline",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ModerationHTTP",
            dependencies: [
                "Audit", "Database", "GraphAPI", "GraphHTTP", "GraphServices", "Moderation", "SocialGraph", "Timeline",
                .product(name: "Hummingbird", package: "hummingbird"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "graphd",
            dependencies: [
                "AccountSecurity", "AppWebhooks", "Audit", "Backup", "CClock", "CommandSupport", "Database",
                "Discovery",
                "GraphAPI", "GraphAssembly", "GraphdClient", "GraphHTTP", "GraphServices", "HTTPMiddleware",
                "Importing", "Mail",
                "MediaFiles", "Moderation", "ModerationCommands", "ModerationHTTP", "ObjectStorage", "PostgreSQL",
                "Processes", "ProductAPIs", "Push", "RedisClient", "Saves",
                "Sessions", "SocialGraph", "StrictJSON", "Text", "Timeline", "TracingExport", "TracingSpans",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ScaleSimulation",
            dependencies: ["Database", "RedisClient", "SocialGraph", "Timeline"],
            path: "loadtests/Scale",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "loadtests",
            dependencies: [
                "GraphdClient", "Processes", "ScaleSimulation",
                .product(name: "Algorithms", package: "swift-algorithms"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            path: "loadtests",
            exclude: ["Benchmarks", "Evaluations", "Peers/Python", "Scale", "Scenarios/Files", "reports"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Database", "GraphAssembly", "Importing", "RedisClient", "SocialGraph", "Timeline",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            path: "loadtests/Benchmarks",
            exclude: ["thresholds.json"],
            swiftSettings: strict
        ),
        .target(
            name: "TestSupport",
            dependencies: [
                "Database", "GraphAssembly", "Idempotency", "Moderation", "PostgreSQL", "Processes", "Push",
                "RedisClient", "SocialGraph",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestSupport",
            swiftSettings: tests
        ),
        .target(
            name: "ObjectStorageTestSupport",
            dependencies: [
                "HTTPMiddleware", "ObjectStorage", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/ObjectStorageTestSupport",
            swiftSettings: tests
        ),
        .target(
            name: "PostgreSQLTestSupport",
            dependencies: ["Database", "PostgreSQL", "TestSupport"],
            path: "Tests/PostgreSQLTestSupport",
            swiftSettings: tests
        ),
        .executableTarget(
            name: "evaluations",
            dependencies: [
                "Database", "Discovery", "GraphAssembly", "Importing", "SocialGraph",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "loadtests/Evaluations",
            swiftSettings: strict
        ),
        .target(
            name: "ServiceTestSupport",
            dependencies: [
                "Database", "GraphServices", "HTTPMiddleware", "MediaFiles", "Processes", "Sessions", "SocialGraph",
                "StrictJSON", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            path: "Tests/ServiceTestSupport",
            swiftSettings: models
        ),
        .testTarget(
            name: "DatabaseTests",
            dependencies: [
                "Database", "GraphAssembly", "Importing", "PostgreSQLTestSupport", "SocialGraph", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: ["Database", "PostgreSQL", "PostgreSQLTestSupport", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TracingSpansTests",
            dependencies: [
                "TestSupport", "TracingSpans",
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "TracingExportTests",
            dependencies: [
                "GraphServices", "ServiceTestSupport", "StrictJSON", "TestSupport", "TracingExport", "TracingSpans",
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: tests
        ),
        .target(
            name: "SocialGraphModel",
            dependencies: ["Database", "SocialGraph"],
            path: "Tests/SocialGraphModel",
            swiftSettings: models
        ),
        .testTarget(
            name: "SocialGraphTests",
            dependencies: [
                "Database", "Discovery", "Importing", "MediaJobs", "Moderation", "Privacy", "Saves", "Sessions",
                "SocialGraph", "SocialGraphModel", "TestSupport", "Text",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "PrivacyTests",
            dependencies: ["Database", "Privacy", "SocialGraph", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SavesTests",
            dependencies: ["Database", "Saves", "SocialGraph", "TestSupport", "Text"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "AccountSecurityTests",
            dependencies: [
                "AccountSecurity", "Database", "GraphServices", "Mail", "ServiceTestSupport", "Sessions", "SocialGraph",
                "StrictJSON", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "IdempotencyTests",
            dependencies: ["Database", "Idempotency", "SocialGraph", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MailTests",
            dependencies: [
                "Mail", "Processes", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: tests
        ),
        .testTarget(name: "TextTests", dependencies: ["TestSupport", "Text"], swiftSettings: tests),
        .testTarget(
            name: "LoadTestsTests",
            dependencies: [
                "GraphdClient", "TestSupport", "loadtests",
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ScaleSimulationTests",
            dependencies: ["Database", "RedisClient", "ScaleSimulation", "SocialGraph", "TestSupport", "Timeline"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MediaJobsTests",
            dependencies: ["Database", "MediaJobs", "SocialGraph", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(name: "ProcessesTests", dependencies: ["Processes", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "AuditTests",
            dependencies: ["Audit", "Database", "Importing", "SocialGraph", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ImportingTests",
            dependencies: ["Database", "Discovery", "Importing", "SocialGraph", "TestSupport"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ModerationTests",
            dependencies: [
                "Audit", "Database", "Discovery", "Importing", "Moderation", "SocialGraph", "TestSupport", "Text",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "PushTests",
            dependencies: [
                "Audit", "Database", "Importing", "MediaJobs", "Push", "SocialGraph", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Audit", "Database", "Sessions", "SocialGraph", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphAssemblyTests",
            dependencies: [
                "Audit", "Database", "Discovery", "GraphAssembly", "Idempotency", "Importing", "MediaJobs",
                "Moderation", "Privacy", "PostgreSQL", "PostgreSQLTestSupport", "Push", "Saves", "Sessions",
                "SocialGraph", "TestSupport", "Text",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "RedisClientTests",
            dependencies: [
                "Processes", "RedisClient", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphdClientTests",
            dependencies: ["GraphdClient"],
            path: "clients/swift/Tests/GraphdClientTests",
            swiftSettings: tests
        ),
        .testTarget(
            name: "CoordinationTests",
            dependencies: ["Coordination", "TestSupport"],
            swiftSettings: tests
        ),
        .target(
            name: "TimelineModels",
            dependencies: ["TestSupport"],
            path: "Tests/TimelineModels",
            swiftSettings: models
        ),
        .testTarget(
            name: "TimelineTests",
            dependencies: [
                "Coordination", "Database", "Discovery", "GraphAssembly", "Importing", "Moderation", "Privacy",
                "RedisClient", "Saves", "SocialGraph", "TestSupport", "Text", "Timeline", "TimelineModels",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "DiscoveryTests",
            dependencies: [
                "Database", "Discovery", "evaluations", "GraphAssembly", "Importing", "Moderation", "Saves",
                "SocialGraph", "TestSupport", "Text",
            ],
            exclude: ["Segments/Labelled"],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphAPITests",
            dependencies: [
                "GraphAPI", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "StrictJSONTests",
            dependencies: [
                "GraphAPI", "StrictJSON", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "CommandSupportTests",
            dependencies: [
                "CommandSupport", "TestSupport",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "BackupTests",
            dependencies: [
                "Audit", "Backup", "CommandSupport", "Database", "GraphAssembly", "GraphServices", "MediaFiles",
                "MediaJobs", "ObjectStorage", "ObjectStorageTestSupport", "PostgreSQL",
                "PostgreSQLTestSupport", "Sessions", "SocialGraph", "TestSupport", "Text", "Timeline",
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ObjectStorageTests",
            dependencies: [
                "ObjectStorage", "ObjectStorageTestSupport", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "MediaFilesTests",
            dependencies: [
                "Database", "GraphServices", "MediaFiles", "MediaJobs", "ObjectStorage", "Processes",
                "ServiceTestSupport", "SocialGraph", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "ModerationCommandsTests",
            dependencies: [
                "CommandSupport", "GraphdClient", "ModerationCommands", "StrictJSON", "TestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphServicesTests",
            dependencies: [
                "Database", "Discovery", "GraphAssembly", "GraphHTTP", "GraphServices", "Moderation", "Push",
                "RedisClient", "ServiceTestSupport", "Sessions", "SocialGraph", "StrictJSON", "TestSupport", "Timeline",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "HTTPMiddlewareTests",
            dependencies: [
                "HTTPMiddleware", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphHTTPTests",
            dependencies: [
                "CommandSupport", "Database", "GraphHTTP", "GraphServices", "HTTPMiddleware", "MediaFiles", "MediaJobs",
                "ObjectStorage", "ObjectStorageTestSupport", "Processes", "RedisClient",
                "ServiceTestSupport", "Sessions", "SocialGraph", "StrictJSON", "TestSupport", "Timeline",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: tests
        ),
        .testTarget(
            name: "GraphdTests",
            dependencies: [
                "Audit", "Backup", "CommandSupport", "Coordination", "Database", "Discovery", "GraphAPI",
                "GraphAssembly",
                "graphd", "GraphdClient", "GraphHTTP", "GraphServices", "HTTPMiddleware", "Importing", "Mail",
                "MediaFiles", "MediaJobs", "Moderation",
                "ModerationCommands", "ObjectStorage", "ObjectStorageTestSupport", "PostgreSQL",
                "PostgreSQLTestSupport", "Processes",
                "ProductAPIs", "Push", "RedisClient", "Saves",
                "ServiceTestSupport", "Sessions", "SocialGraph", "StrictJSON", "TestSupport", "Text", "Timeline",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: tests
        ),
    ],
    swiftLanguageModes: [.v6]
)
