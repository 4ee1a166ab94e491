import Foundation

/// Seconds for which all processors of the machine have worked since it started, from `/proc/stat`.
struct ProcessorTimes: Equatable, Sendable {
    /// Programs and the kernel.
    let busy: Double
    /// Other machines on the same host, while a program of this one was ready to run.
    let stolen: Double

    init() throws {
        let text = try String(contentsOfFile: "/proc/stat", encoding: .utf8)
        self = try Self(stat: text, ticksPerSecond: Double(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// - Parameter stat: the text of `/proc/stat`. Its first line sums up all processors, in ticks: user, nice, system,
    ///   idle, waiting for disks, interrupts, soft interrupts, stolen; times of guests are contained in the first two.
    init(stat: String, ticksPerSecond: Double) throws {
        let fields = stat.prefix { $0 != "\n" }.split(separator: " ")
        let ticks = fields.dropFirst().compactMap { Double($0) }
        guard fields.first == "cpu", ticks.count >= 8 else {
            throw Program.Failure(description: "/proc/stat begins with \"\(stat.prefix(80))\"")
        }
        busy = (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) / ticksPerSecond
        stolen = ticks[7] / ticksPerSecond
    }
}
