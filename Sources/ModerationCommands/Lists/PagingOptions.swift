import ArgumentParser

struct PagingOptions: ParsableArguments {
    static let usual = 50

    @Option(help: ArgumentHelp("At most so many. (default: \(Self.usual))", valueName: "n"))
    var limit: Int?

    @Flag(help: "All of them.")
    var all = false

    @Option(help: ArgumentHelp("Go on where the nextCursor of a --json answer left off.", valueName: "cursor"))
    var cursor: String?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a whole number from 1.") }
        if all, limit != nil { throw ValidationError("Give --all or --limit, not both.") }
    }

    var count: Int { all ? .max : limit ?? Self.usual }
}

struct WatchOptions: ParsableArguments {
    @Flag(help: "Look again and again, and mark what is new. Elsewhere than on a terminal only what is new is printed.")
    var watch = false

    @Option(help: ArgumentHelp("Seconds between two looks.", valueName: "seconds"))
    var interval = 5

    func validate() throws {
        if !(1...3_600).contains(interval) { throw ValidationError("--interval takes from 1 to 3600 seconds.") }
    }
}
