/// The counts of an operation.
enum Measure: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Statements executed by SQLite, including BEGIN and COMMIT and those of its full-text indexes.
    case statements
    /// Round trips that an engine over a network would take, as counted by `CountedDatabase`.
    case roundTrips
    /// Commands executed by Redis, including those of scripts.
    case redisCommands
    /// Bytes to and from Redis.
    case redisBytes
    /// Instructions of the process, including libraries but not the kernel.
    case instructions
    /// Calls of malloc and related functions.
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

    /// Percent by which counts differ from run to run, plus a margin.
    var tolerance: Double {
        switch self {
        case .statements, .roundTrips, .redisCommands: 0
        case .redisBytes: 1
        case .instructions: 8
        case .allocations: 6
        }
    }

    /// Step in which counts are compared; an INFO of Redis is occasionally a byte longer than another.
    var step: Double {
        switch self {
        case .statements, .roundTrips, .redisCommands: 0.01
        case .redisBytes, .instructions, .allocations: 1
        }
    }

    /// True if the count depends on the compiled code, and so on the compiler and libraries.
    var dependsOnToolchain: Bool { self == .instructions || self == .allocations }
}

/// Counts for one execution of an operation.
typealias Figures = [Measure: Double]
