import ArgumentParser
import CommandSupport
import Glibc

struct DashboardCommand: ModerationCommand {
    static let configuration = CommandConfiguration.moderation(
        "dashboard", "Show the state of the server and of the moderation queues.",
        examples: "dashboard", "dashboard --watch --interval 2")

    @OptionGroup var watching: WatchOptions
    @OptionGroup var connection: ConnectionOptions

    func run(on server: ModerationServer) async throws {
        while true {
            let record = try await server.get("/v1/moderation/dashboard")
            show(record) { channel in
                let clear = watching.watch && channel.isTerminal ? ["\u{1B}[H\u{1B}[2J"] : []
                return clear + RecordRendering.lines(record, on: channel)
            }
            guard watching.watch else { return }
            fflush(nil)
            // Not for synchronisation: the moderator has chosen the interval.
            try await Task.sleep(for: .seconds(watching.interval))
        }
    }
}
