import CommandSupport
import Timeline

extension ServerConfiguration {
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
