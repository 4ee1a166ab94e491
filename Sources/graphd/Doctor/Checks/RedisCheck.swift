import Foundation
import RedisClient
import Timeline

/// The settings of the Redis that holds the windows.
struct RedisCheck: Equatable {
    /// Largest share of the permitted memory, in percent, that leaves room.
    private static let fullPercent: Int64 = 90
    /// The oldest version with the settings that graphd relies on.
    private static let oldestVersion = 7

    /// The answers of a Redis.
    struct State: Equatable {
        var version = ""
        /// `master`, or `slave` for a replica.
        var role = "master"
        /// Bytes in use, and at most; 0 is no limit.
        var memory: Int64 = 0
        var mostMemory: Int64 = 0
        var evictionPolicy = "noeviction"
        /// True if it writes a log or snapshots.
        var isPersistent = false
        /// Nil if it does not reveal its settings.
        var listpackEntries: Int64?
        /// Seconds after which it closes an idle connection; 0 is never.
        var idleTimeout: Int64 = 0
    }

    /// The address, without a password.
    let address: String
    /// True for the one that the server starts, whose settings are its own.
    let isPrivate: Bool
    /// Nil if it did not answer.
    let state: State?
    /// Reason for which it did not.
    let failure: String?
    /// Entries of a window that must have the compact form.
    let neededEntries: Int64

    var findings: [Finding] {
        guard let state else {
            return [
                Finding(
                    .redis, .failure, "The Redis at \(address) does not answer: \(failure ?? "no connection").",
                    remedy: isPrivate
                        ? "The server starts it again by itself; look at redis.log beside its socket."
                        : "Start it, or correct --redis. Until then timelines come from SQLite, more slowly.")
            ]
        }
        let findings = serving(state) + memory(state) + settings(state)
        guard !findings.contains(where: { $0.level >= .warning }) else { return findings }
        return [
            Finding(
                .redis, .sound, "Redis \(state.version) at \(address) uses \(ByteText.text(state.memory)).")
        ] + findings
    }

    private func serving(_ state: State) -> [Finding] {
        var findings: [Finding] = []
        if state.role != "master" {
            findings.append(
                Finding(
                    .redis, .failure, "The Redis at \(address) is a replica, which refuses writes.",
                    remedy: "Name the primary with --redis."))
        }
        if let major = state.version.split(separator: ".").first.flatMap({ Int($0) }), major < Self.oldestVersion {
            findings.append(
                Finding(
                    .redis, .warning,
                    "Redis \(state.version) is older than \(Self.oldestVersion).0, the oldest version "
                        + "that graphd is tested with.", remedy: "Install a newer one."))
        }
        return findings
    }

    private func memory(_ state: State) -> [Finding] {
        guard state.mostMemory > 0 else { return [] }
        var findings: [Finding] = []
        if state.evictionPolicy == "noeviction" {
            findings.append(
                Finding(
                    .redis, .warning,
                    "Redis refuses writes once it has \(ByteText.text(state.mostMemory)) "
                        + "(maxmemory-policy noeviction).",
                    remedy: "Let it evict: CONFIG SET maxmemory-policy allkeys-lru. An evicted window is rebuilt when "
                        + "it is read."))
        }
        if state.memory * 100 > state.mostMemory * Self.fullPercent {
            findings.append(
                Finding(
                    .redis, .warning,
                    "Redis uses \(ByteText.text(state.memory)) of at most "
                        + "\(ByteText.text(state.mostMemory)): windows are evicted and rebuilt.",
                    remedy: "Raise maxmemory, or lower --window-idle or --window-cap."))
        }
        return findings
    }

    private func settings(_ state: State) -> [Finding] {
        var findings: [Finding] = []
        if let entries = state.listpackEntries, entries < neededEntries {
            findings.append(
                Finding(
                    .redis, .warning,
                    "Windows take about five times the memory: zset-max-listpack-entries is "
                        + "\(entries), and this --window-cap needs \(neededEntries).",
                    remedy: "CONFIG SET zset-max-listpack-entries \(neededEntries), then graphd timelines rebuild --all"
                ))
        }
        if state.idleTimeout > 0 {
            findings.append(
                Finding(
                    .redis, .warning, "Redis closes connections that were idle for \(state.idleTimeout) s.",
                    remedy: "CONFIG SET timeout 0"))
        }
        if state.isPersistent {
            findings.append(
                Finding(
                    .redis, .note,
                    "Redis writes its data to disk. That is not needed: windows are rebuilt from SQLite.",
                    remedy: "CONFIG SET save '' and CONFIG SET appendonly no, if nothing else uses this Redis."))
        }
        return findings
    }
}

extension RedisCheck {
    /// Asks the Redis.
    init(_ configuration: RedisConfiguration, isPrivate: Bool, depth: WindowDepth) async {
        var (state, failure): (State?, String?)
        do {
            state = try await Self.ask(configuration)
        } catch let error as RedisError {
            failure = error.message.trimmingCharacters(in: CharacterSet(charactersIn: "."))
        } catch {
            failure = "\(error)"
        }
        self.init(
            address: configuration.description, isPrivate: isPrivate, state: state, failure: failure,
            neededEntries: Int64(depth.listpackEntries))
    }

    private static func ask(_ configuration: RedisConfiguration) async throws -> State {
        var configuration = configuration
        // A Redis that is slow for a moment is not one that does not answer.
        (configuration.connectTimeout, configuration.commandTimeout) = (.seconds(30), .seconds(30))
        let settings = ["zset-max-listpack-entries", "timeout", "save"]
        let commands = [RedisCommand("INFO", [])] + settings.map { RedisCommand("CONFIG", ["GET", $0]) }
        return try await RedisProbe.ask(configuration, commands) { replies in
            try replies[0].throwIfError()
            let info = RedisInfo(try replies[0].text)
            // Some providers do not permit CONFIG, and some settings have other names elsewhere.
            let values = (1...settings.count).map { try? replies[$0][1].text }
            var state = State()
            state.version = info["redis_version"] ?? "of an unknown version"
            state.role = info["role"] ?? state.role
            state.memory = info["used_memory"].flatMap { Int64($0) } ?? 0
            state.mostMemory = info["maxmemory"].flatMap { Int64($0) } ?? 0
            state.evictionPolicy = info["maxmemory_policy"] ?? state.evictionPolicy
            state.isPersistent = info["aof_enabled"] == "1" || !(values[2] ?? "").isEmpty
            state.listpackEntries = values[0].flatMap { Int64($0) }
            state.idleTimeout = values[1].flatMap { Int64($0) } ?? 0
            return state
        }
    }
}
