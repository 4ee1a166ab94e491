import ArgumentParser

/// The limit by itself, for comparison with other programs that measure the same.
struct LimitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Deliveries a second that one Redis can take, by nothing but script calls.",
        discussion: "Example:\n  loadtests limit --timelines 20000 --posts 160 --cap 128")

    @Option(help: "Timelines, all full.") var timelines = 20_000
    @Option(help: "Posts.") var posts = 160
    @Option(help: "Entries a timeline is trimmed to.") var cap = 128
    @Option(help: "Posts in one call.") var coalescing = 1

    func run() throws {
        let rate = try FanoutLimit(timelines: timelines, cap: cap, coalescing: coalescing).measure(posts: posts)
        print("deliveries_per_s=\(Int(rate))")
    }
}
