import Foundation

/// A rate of requests on a schedule.
struct FixedRate: Sendable, Equatable {
    enum Origin: String, Codable, Sendable {
        /// By an option.
        case given
        /// In the file of an earlier run.
        case stored
        /// In this run.
        case found
    }

    let perSecond: Double
    let origin: Origin
}

/// The rates of ratios whose requests follow a schedule. Each is found once, and then the same for every repetition and
/// every build.
actor FixedRates {
    private var given: [RatioKey: Double]
    private var stored: [RatioKey: Double] = [:]
    private var found: [RatioKey: Double] = [:]
    private var lasting: [RatioKey: Double] = [:]
    private let file: String?

    /// - Parameters:
    ///   - arguments: texts such as "last_follower=40".
    ///   - file: JSON of rates by key, to which found ones are added. It is created.
    init(_ arguments: [String] = [], file: String? = nil) throws {
        given = try Self.parse(arguments)
        self.file = file
        if let file, FileManager.default.fileExists(atPath: file) {
            stored = try Self.decode(Data(contentsOf: URL(fileURLWithPath: file)), from: file)
        }
    }

    /// Returns the rate of a ratio: the given one, the stored one, or that of `find`, which is stored if it holds for
    /// later runs as well.
    func rate(
        _ key: RatioKey, find: @Sendable () async throws -> (perSecond: Double, isLasting: Bool)
    ) async throws -> FixedRate {
        if let rate = given[key] { return FixedRate(perSecond: rate, origin: .given) }
        if let rate = stored[key] { return FixedRate(perSecond: rate, origin: .stored) }
        if let rate = found[key] { return FixedRate(perSecond: rate, origin: .found) }
        let (rate, isLasting) = try await find()
        found[key] = rate
        if let file, isLasting {
            lasting[key] = rate
            let all = stored.merging(lasting) { _, found in found }
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Self.encode(all).write(to: URL(fileURLWithPath: file), options: .atomic)
        }
        return FixedRate(perSecond: rate, origin: .found)
    }

    static func parse(_ arguments: [String]) throws -> [RatioKey: Double] {
        var rates: [RatioKey: Double] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let rate = Double(parts[1]) else {
                throw Program.Failure(description: "\"\(argument)\" is not of the form last_follower=40")
            }
            rates[try key(String(parts[0]))] = try checked(rate, argument)
        }
        return rates
    }

    static func decode(_ data: Data, from file: String) throws -> [RatioKey: Double] {
        guard let rates = try? JSONDecoder().decode([String: Double].self, from: data) else {
            throw Program.Failure(description: "\(file) is not of the form {\"last_follower\": 40}")
        }
        var known: [RatioKey: Double] = [:]
        for (name, rate) in rates { known[try key(name)] = try checked(rate, "\(name) in \(file)") }
        return known
    }

    static func encode(_ rates: [RatioKey: Double]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(Dictionary(uniqueKeysWithValues: rates.map { ($0.rawValue, $1) }))
    }

    private static func key(_ name: String) throws -> RatioKey {
        guard let key = RatioKey(rawValue: name), RatioKey.scheduled.contains(key) else {
            let known = RatioKey.scheduled.map(\.rawValue).joined(separator: ", ")
            throw Program.Failure(description: "\"\(name)\" has no fixed rate; \(known) have one")
        }
        return key
    }

    private static func checked(_ rate: Double, _ source: String) throws -> Double {
        guard rate > 0, rate.isFinite else {
            throw Program.Failure(description: "\(source): a rate is above 0, got \(rate)")
        }
        return rate
    }
}
