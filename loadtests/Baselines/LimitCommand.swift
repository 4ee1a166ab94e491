import ArgumentParser

/// The limit by itself, for comparison with other programs that measure the same.
struct LimitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Measure the deliveries a second of one Redis by script calls alone.",
        discussion: "Example:\n  loadtests limit --timelines 20000 --posts 160 --cap 128")

    @Option(help: "Timelines, all full.") var timelines = 20_000
    @Option(help: "Posts.") var posts = 160
    @Option(help: "Entries that a timeline keeps.") var cap = 128
    @Option(help: "Posts in one call.") var coalescing = 1

    func run() throws {
        let rate = try FanoutLimit(timelines: timelines, cap: cap, coalescing: coalescing).measure(posts: posts)
        print("deliveries_per_s=\(Int(rate))")
    }
}
