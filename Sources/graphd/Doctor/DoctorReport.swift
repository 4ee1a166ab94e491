import ArgumentParser
import CommandSupport
import GraphAPI

/// The findings about an installation, for people and for programs.
struct DoctorReport: Sendable {
    /// In the order of their parts.
    let findings: [Finding]

    init(_ findings: [Finding]) {
        self.findings = Finding.Part.allCases.flatMap { part in findings.filter { $0.part == part } }
    }

    /// The worst level found.
    var level: Finding.Level { findings.map(\.level).max() ?? .sound }

    /// 0: nothing to do, 1: something does not work, 2: warnings.
    var exitCode: ExitCode {
        switch level {
        case .sound, .note: .success
        case .warning: ExitCode(2)
        case .failure: .failure
        }
    }

    /// One JSON object on one line.
    var json: String {
        var json = JSONWriter(reservingCapacity: 2_048)
        json.beginObject()
        json.member("status", level.rawValue)
        json.key("findings")
        json.beginArray()
        for finding in findings {
            json.beginObject()
            json.member("part", finding.part.rawValue)
            json.member("level", finding.level.rawValue)
            json.member("detail", finding.detail)
            json.member("remedy", finding.remedy)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A line for each finding; a remedy stands below its finding on a terminal, and after it elsewhere.
    func lines(on channel: OutputChannel) -> [String] {
        let width = Finding.Part.allCases.map(\.rawValue.count).max() ?? 0
        return findings.flatMap { finding in
            let (level, part) = (finding.level.rawValue, finding.part.rawValue)
            let (detail, remedy) = (TerminalText.safe(finding.detail), finding.remedy.map { TerminalText.safe($0) })
            guard channel.isTerminal else { return [[level, part, detail, remedy ?? ""].joined(separator: "\t")] }
            let head = Self.padded(level, Self.levelWidth) + "  " + Self.padded(part, width) + "  "
            let shown = finding.level >= .warning ? channel.styled(head, .heading) : head
            let below = String(repeating: " ", count: head.count)
            return [shown + detail] + (remedy.map { [below + $0] } ?? [])
        }
    }

    private static let levelWidth = Finding.Level.allCases.map(\.rawValue.count).max() ?? 0

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }
}
