// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

import Foundation

/// The actions in the audit.
public struct AuditAction: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let passwordReplaced = Self(rawValue: "passwordReplaced")
    public static let authenticatorRemoved = Self(rawValue: "authenticatorRemoved")
    public static let tokenIssued = Self(rawValue: "tokenIssued")
    public static let siteRoleSet = Self(rawValue: "siteRoleSet")
    public static let keyRotated = Self(rawValue: "keyRotated")
    public static let readOnlyStarted = Self(rawValue: "readOnlyStarted")
    public static let readOnlyEnded = Self(rawValue: "readOnlyEnded")
    public static let followsImportStarted = Self(rawValue: "followsImportStarted")
    public static let followsImported = Self(rawValue: "followsImported")
    public static let postsImportStarted = Self(rawValue: "postsImportStarted")
    public static let postsImported = Self(rawValue: "postsImported")
    public static let embeddingsClearStarted = Self(rawValue: "embeddingsClearStarted")
    public static let embeddingsCleared = Self(rawValue: "embeddingsCleared")
    public static let timelinesRebuilt = Self(rawValue: "timelinesRebuilt")
    public static let timelinesRepaired = Self(rawValue: "timelinesRepaired")
    public static let restored = Self(rawValue: "restored")
    public static let serviceTokenAdded = Self(rawValue: "serviceTokenAdded")
    public static let serviceTokenRevoked = Self(rawValue: "serviceTokenRevoked")
    public static let webhookAdded = Self(rawValue: "webhookAdded")
    public static let webhookChanged = Self(rawValue: "webhookChanged")
    public static let webhookRemoved = Self(rawValue: "webhookRemoved")
    public static let webhookReplayed = Self(rawValue: "webhookReplayed")
    public static let webhookDeliveryRetried = Self(rawValue: "webhookDeliveryRetried")
    public static let ruleAdded = Self(rawValue: "ruleAdded")
    public static let ruleChanged = Self(rawValue: "ruleChanged")
    public static let ruleRemoved = Self(rawValue: "ruleRemoved")
    public static let classifierAdded = Self(rawValue: "classifierAdded")
    public static let classifierChanged = Self(rawValue: "classifierChanged")
    public static let classifierRemoved = Self(rawValue: "classifierRemoved")
    public static let noteErased = Self(rawValue: "noteErased")
    public static let communityDescribed = Self(rawValue: "communityDescribed")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .passwordReplaced, .authenticatorRemoved, .tokenIssued, .siteRoleSet, .keyRotated, .readOnlyStarted,
        .readOnlyEnded, .followsImportStarted, .followsImported, .postsImportStarted, .postsImported,
        .embeddingsClearStarted, .embeddingsCleared, .timelinesRebuilt, .timelinesRepaired, .restored,
        .serviceTokenAdded, .serviceTokenRevoked, .webhookAdded, .webhookChanged, .webhookRemoved, .webhookReplayed,
        .webhookDeliveryRetried, .ruleAdded, .ruleChanged, .ruleRemoved, .classifierAdded, .classifierChanged,
        .classifierRemoved, .noteErased, .communityDescribed,
    ]
}

public struct AuditEntry: Codable, Hashable, Sendable {
    public var entryId: String
    public var createdAt: Date
    public var action: AuditAction
    public var actorId: String?
    public var machineUser: String?
    public var subjectId: String?
    public var detail: String?

    public init(
        entryId: String, createdAt: Date, action: AuditAction, actorId: String? = nil, machineUser: String? = nil,
        subjectId: String? = nil, detail: String? = nil
    ) {
        self.entryId = entryId
        self.createdAt = createdAt
        self.action = action
        self.actorId = actorId
        self.machineUser = machineUser
        self.subjectId = subjectId
        self.detail = detail
    }
}

public struct AuditPage: Codable, Hashable, Sendable {
    public var items: [AuditEntry]
    public var nextCursor: String?

    public init(items: [AuditEntry], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

public struct Health: Codable, Hashable, Sendable {
    public var status: String

    public init(status: String) {
        self.status = status
    }
}

public struct NewServiceToken: Codable, Hashable, Sendable {
    /// The name in lists and in the audit.
    public var name: String
    public var scopes: [ServiceScope]

    public init(name: String, scopes: [ServiceScope]) {
        self.name = name
        self.scopes = scopes
    }
}

public struct NewServiceTokenAnswer: Codable, Hashable, Sendable {
    public var tokenId: String
    public var name: String
    public var scopes: [ServiceScope]
    public var createdAt: Date
    /// The bearer token, which is shown only now.
    public var token: String

    public init(tokenId: String, name: String, scopes: [ServiceScope], createdAt: Date, token: String) {
        self.tokenId = tokenId
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.token = token
    }
}

/// The status of the server; the state of its parts is only for operators.
public struct Readiness: Codable, Hashable, Sendable {
    /// With `degraded`, `problems` has the causes. The answer is 503 if writes are refused or the database is
    /// damaged, otherwise 200.
    public var status: ReadinessStatus
    public var database: ReadinessDatabase?
    /// `up` if the Redis of every shard answers.
    public var redis: ReadinessRedis?
    /// Without it, uploaded videos have neither duration nor poster.
    public var ffmpeg: ReadinessFfmpeg?
    /// The state of each shard; absent if there is one.
    public var redisShards: [ReadinessRedisShards]?
    /// Absent unless a Redis Cluster has the windows.
    public var redisCluster: ReadinessRedisCluster?
    public var outbox: ReadinessOutbox?
    /// Problems of disk, database, clock and node; absent if there are none.
    public var problems: [ReadinessProblem]?

    public init(
        status: ReadinessStatus, database: ReadinessDatabase? = nil, redis: ReadinessRedis? = nil,
        ffmpeg: ReadinessFfmpeg? = nil, redisShards: [ReadinessRedisShards]? = nil,
        redisCluster: ReadinessRedisCluster? = nil, outbox: ReadinessOutbox? = nil, problems: [ReadinessProblem]? = nil
    ) {
        self.status = status
        self.database = database
        self.redis = redis
        self.ffmpeg = ffmpeg
        self.redisShards = redisShards
        self.redisCluster = redisCluster
        self.outbox = outbox
        self.problems = problems
    }
}

/// One of the known values, or one that a later server has added.
public struct ReadinessDatabase: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let up = Self(rawValue: "up")
    public static let down = Self(rawValue: "down")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.up, .down]
}

/// Without it, uploaded videos have neither duration nor poster.
public struct ReadinessFfmpeg: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let installed = Self(rawValue: "installed")
    public static let missing = Self(rawValue: "missing")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.installed, .missing]
}

public struct ReadinessOutbox: Codable, Hashable, Sendable {
    /// Jobs that may still change a window, including rebuilds. Above 10,000 they are counted only once a second.
    public var pending: Int
    /// Age of the oldest job in the outbox.
    public var oldestSeconds: Int

    public init(pending: Int, oldestSeconds: Int) {
        self.pending = pending
        self.oldestSeconds = oldestSeconds
    }
}

public struct ReadinessProblem: Codable, Hashable, Sendable {
    public var code: ReadinessProblemCode
    /// The problem, and what an operator can do about it.
    public var detail: String

    public init(code: ReadinessProblemCode, detail: String) {
        self.code = code
        self.detail = detail
    }
}

/// One of the known values, or one that a later server has added.
public struct ReadinessProblemCode: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let databaseCorrupt = Self(rawValue: "database_corrupt")
    public static let databaseDown = Self(rawValue: "database_down")
    public static let diskFull = Self(rawValue: "disk_full")
    public static let diskLow = Self(rawValue: "disk_low")
    public static let readOnly = Self(rawValue: "read_only")
    public static let clockJumped = Self(rawValue: "clock_jumped")
    public static let notCurrent = Self(rawValue: "not_current")

    /// The values that this version of the client knows.
    public static let known: [Self] = [
        .databaseCorrupt, .databaseDown, .diskFull, .diskLow, .readOnly, .clockJumped, .notCurrent,
    ]
}

/// `up` if the Redis of every shard answers.
public struct ReadinessRedis: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let up = Self(rawValue: "up")
    public static let down = Self(rawValue: "down")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.up, .down]
}

/// Absent unless a Redis Cluster has the windows.
public struct ReadinessRedisCluster: Codable, Hashable, Sendable {
    /// Masters in the slot map.
    public var masters: Int
    /// Buckets of readers whose pages the database answers for now.
    public var coldBuckets: Int

    public init(masters: Int, coldBuckets: Int) {
        self.masters = masters
        self.coldBuckets = coldBuckets
    }
}

/// One of the known values, or one that a later server has added.
public struct ReadinessRedisShards: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let up = Self(rawValue: "up")
    public static let down = Self(rawValue: "down")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.up, .down]
}

/// With `degraded`, `problems` has the causes. The answer is 503 if writes are refused or the database is damaged,
/// otherwise 200.
public struct ReadinessStatus: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ready = Self(rawValue: "ready")
    public static let degraded = Self(rawValue: "degraded")
    public static let unavailable = Self(rawValue: "unavailable")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.ready, .degraded, .unavailable]
}

/// An act that a service token is for.
public struct ServiceScope: OpenEnumeration {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let mediaRenditions = Self(rawValue: "media:renditions")
    public static let transcriptsWrite = Self(rawValue: "transcripts:write")

    /// The values that this version of the client knows.
    public static let known: [Self] = [.mediaRenditions, .transcriptsWrite]
}

public struct ServiceToken: Codable, Hashable, Sendable {
    public var tokenId: String
    public var name: String
    public var scopes: [ServiceScope]
    public var createdAt: Date

    public init(tokenId: String, name: String, scopes: [ServiceScope], createdAt: Date) {
        self.tokenId = tokenId
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
    }
}

public struct ServiceTokens: Codable, Hashable, Sendable {
    public var items: [ServiceToken]

    public init(items: [ServiceToken]) {
        self.items = items
    }
}
