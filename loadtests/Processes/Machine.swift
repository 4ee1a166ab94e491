import Foundation

/// The machine of a run.
enum Machine {
    /// A description such as "2 × Intel Xeon, 23 GiB, Linux 6.1".
    static var description: String {
        let processors = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = processors.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let memory = ProcessInfo.processInfo.physicalMemory >> 30
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        let name = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "processors"
        return "\(ProcessInfo.processInfo.activeProcessorCount) × \(name), \(memory) GiB, \(system)"
    }
}
