import CClock
import Database

/// The time of this machine: whether it is kept right, and whether it agrees with the last time that the data directory
/// has seen.
struct ClockCheck: Equatable {
    /// True if a time service keeps the clock right; nil if the system does not tell.
    let isSynchronised: Bool?
    /// Milliseconds by which the clock differs from the time that is trusted; nil within the tolerance.
    let jump: Int64?

    var findings: [Finding] {
        var findings: [Finding] = []
        if let jump {
            let direction = jump > 0 ? "ahead of" : "behind"
            findings.append(
                Finding(
                    .clock, .warning,
                    "The clock is \(AgeText.text(abs(jump))) \(direction) the time that the data directory has last "
                        + "seen: sessions, bans and everything else that expires follow the former time.",
                    remedy: "Set the clock. If it is right, restart the server with --accept-clock."))
        }
        if isSynchronised == false {
            findings.append(
                Finding(
                    .clock, .warning, "No time service keeps the clock right.",
                    remedy: "Install one: apt install chrony, or systemd-timesyncd."))
        }
        guard findings.isEmpty else { return findings }
        let service = isSynchronised == nil ? "" : " and a time service keeps it right"
        return [Finding(.clock, .sound, "The time agrees with the data directory\(service).")]
    }
}

extension ClockCheck {
    /// - Parameter mark: the last time that the data directory has seen; nil if it has seen none.
    init(_ mark: SteadyClock.Mark?, clock: SteadyClock = SteadyClock()) {
        if let mark { clock.resume(from: mark) }
        self.init(isSynchronised: Self.synchronised(), jump: clock.jump)
    }

    /// Asks the kernel, which a time service tells about its work.
    private static func synchronised() -> Bool? {
        var state = timex()
        let status = adjtimex(&state)
        return status < 0 ? nil : state.status & STA_UNSYNC == 0
    }
}
