import CommandSupport
import Timeline

extension ServerConfiguration {
    private static let stalenesses = Duration.seconds(5) ... .seconds(86_400)

    /// Reads how old what a node without the primary shows may be.
    mutating func readStaleReads(_ sources: SettingSources) throws {
        try sources.read(.staleReads, "a duration from 5s to 1d, or 0", into: &staleReads) { text in
            guard let duration = DurationText.parse(text) else { return nil }
            if duration == .zero { return .some(nil) }
            return Self.stalenesses.contains(duration) ? duration : nil
        }
        guard staleReads == nil || isShared else {
            throw ConfigurationError(
                description: "\(Setting.staleReads.flag) concerns nodes of a shared graph: give "
                    + "\(Setting.database.flag) and \(Setting.redis.flag), too, or omit it")
        }
    }

    /// True if several nodes may serve the graph: all of them reach its database and its Redis.
    var isShared: Bool { database != nil && redis != nil }

    /// Reads the server that holds the database.
    mutating func readDatabase(_ sources: SettingSources) throws {
        var requiresStandby = false
        try sources.read(.requireStandby, "on or off", into: &requiresStandby) { ["on": true, "off": false][$0] }
        guard let (text, origin) = try sources.text(of: .database) else {
            guard !requiresStandby else {
                throw ConfigurationError(
                    description: "\(Setting.requireStandby.flag) concerns a PostgreSQL server: give "
                        + "\(Setting.database.flag), too, or omit it")
            }
            return
        }
        do {
            var server = try DatabaseServer(parsing: text, isArgument: origin == .flag)
            server.requiresStandby = requiresStandby
            database = server
        } catch let failure as CommandFailure {
            throw ConfigurationError(description: "\(Setting.database.flag): \(failure.description)")
        }
    }
}
