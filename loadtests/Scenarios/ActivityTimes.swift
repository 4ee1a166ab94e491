import Foundation

/// The times of the events in a file (`a b seconds kind`).
struct ActivityTimes {
    private let seconds: [Int]

    init(path: String) throws {
        let directory = try Scratch.directory("activity")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let plain = try InputFile.plain(path, in: directory, as: "activity.txt")
        let text = try String(contentsOfFile: plain, encoding: .utf8)
        seconds = text.split(whereSeparator: \.isNewline).compactMap { line in
            let fields = line.split(separator: " ")
            return fields.count > 2 ? Int(fields[2]) : nil
        }.sorted()
    }

    /// Returns times from the busiest minute on, so many times as fast; in seconds from 0. Events of one second of the
    /// file are spread evenly over it.
    func fromBusiest(speed: Double) -> [Double] {
        var perMinute: [Int: Int] = [:]
        for second in seconds { perMinute[second / 60, default: 0] += 1 }
        let busiest = perMinute.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
        let start = seconds.firstIndex { $0 >= busiest * 60 } ?? 0
        var times: [Double] = []
        var index = start
        while index < seconds.count {
            let second = seconds[index]
            let end = seconds[index...].firstIndex { $0 != second } ?? seconds.count
            for place in index..<end {
                let within = Double(place - index) / Double(end - index)
                times.append((Double(second - busiest * 60) + within) / speed)
            }
            index = end
        }
        return times
    }
}
