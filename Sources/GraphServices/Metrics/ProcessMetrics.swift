import Foundation

/// The kernel's figures on this process under `/proc/self`. Each is nil if there is no such file.
struct ProcessMetrics: Sendable {
    var residentBytes: Double?
    var cpuSeconds: Double?
    var openFiles: Double?
    /// Limit of open files.
    var maxFiles: Double?
    /// Start time of the process, in seconds since 1970.
    var startSeconds: Double?

    static func read() -> ProcessMetrics {
        var metrics = ProcessMetrics()
        metrics.openFiles = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))
            .map { Double($0.count) }
        metrics.maxFiles = fileLimit()
        guard let stat = KernelFile.text("/proc/self/stat"), let afterName = stat.lastIndex(of: ")") else {
            return metrics
        }
        // The fields after the name, which may itself contain blanks: field 3 of proc(5) is the first here.
        let fields = stat[stat.index(after: afterName)...].split(separator: " ")
        func field(_ number: Int) -> Double? {
            fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
        }
        let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        if let user = field(14), let system = field(15) {
            metrics.cpuSeconds = (user + system) / ticksPerSecond
        }
        if let start = field(22), let boot = bootSeconds() {
            metrics.startSeconds = boot + start / ticksPerSecond
        }
        if let pages = field(24) {
            metrics.residentBytes = pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        }
        return metrics
    }

    func render(help: [String: String], into text: inout PrometheusText) {
        let samples: [(String, String, Double?)] = [
            (MetricNames.processCPU, "counter", cpuSeconds),
            (MetricNames.processMaxFiles, "gauge", maxFiles),
            (MetricNames.processOpenFiles, "gauge", openFiles),
            (MetricNames.processResidentMemory, "gauge", residentBytes),
            (MetricNames.processStart, "gauge", startSeconds),
        ]
        for case (let name, let type, let value?) in samples {
            text.header(name, type: type, help: help[name] ?? "")
            text.sample(name, "", value)
        }
    }

    private static func fileLimit() -> Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    private static func bootSeconds() -> Double? {
        KernelFile.text("/proc/stat")?
            .split(separator: "\n")
            .first { $0.hasPrefix("btime ") }
            .flatMap { Double($0.dropFirst("btime ".count)) }
    }
}
