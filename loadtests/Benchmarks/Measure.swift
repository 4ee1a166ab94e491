/// What is counted of an operation.
enum Measure: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Statements that SQLite has executed, BEGIN and COMMIT and those of its full-text indexes included.
    case statements
    /// Round trips that an engine behind a network would take, as `CountedDatabase` counts them.
    case roundTrips
    /// Commands that Redis has executed, those of scripts included.
    case redisCommands
    /// Bytes to and from Redis.
    case redisBytes
    /// Instructions of the process, libraries included, the kernel not.
    case instructions
    /// Calls of malloc and its kin.
    case allocations

    var title: String {
        switch self {
        case .statements: "statements"
        case .roundTrips: "round trips"
        case .redisCommands: "Redis commands"
        case .redisBytes: "Redis bytes"
        case .instructions: "instructions"
        case .allocations: "allocations"
        }
    }

    /// Percent by which counts differ from run to run, and some.
    var tolerance: Double {
        switch self {
        case .statements, .roundTrips, .redisCommands: 0
        case .redisBytes: 1
        case .instructions: 8
        case .allocations: 6
        }
    }

    /// Counts are compared in steps of this; an INFO of Redis is now and then a byte longer than another.
    var step: Double {
        switch self {
        case .statements, .roundTrips, .redisCommands: 0.01
        case .redisBytes, .instructions, .allocations: 1
        }
    }

    /// Whether the count is that of compiled code, which another compiler or library makes another.
    var dependsOnToolchain: Bool { self == .instructions || self == .allocations }
}

/// Counts for one execution of an operation.
typealias Figures = [Measure: Double]
