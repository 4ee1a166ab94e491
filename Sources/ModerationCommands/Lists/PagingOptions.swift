import ArgumentParser

struct PagingOptions: ParsableArguments {
    static let usual = 50

    @Option(help: ArgumentHelp("Maximum number of rows. (default: \(Self.usual))", valueName: "n"))
    var limit: Int?

    @Flag(help: "Print all rows.")
    var all = false

    @Option(help: ArgumentHelp("Continue after the nextCursor of an earlier --json answer.", valueName: "cursor"))
    var cursor: String?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be a whole number from 1.") }
        if all, limit != nil { throw ValidationError("Give --all or --limit, not both.") }
    }

    var count: Int { all ? .max : limit ?? Self.usual }
}

struct WatchOptions: ParsableArguments {
    @Flag(help: "Refresh until stopped, and mark new rows. Without a terminal, print only new rows.")
    var watch = false

    @Option(help: ArgumentHelp("Seconds between two refreshes.", valueName: "seconds"))
    var interval = 5

    func validate() throws {
        if !(1...3_600).contains(interval) { throw ValidationError("--interval must be from 1 to 3600 seconds.") }
    }
}
