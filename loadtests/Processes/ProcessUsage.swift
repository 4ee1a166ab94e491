import Foundation

/// The usage of a process so far, from /proc.
struct ProcessUsage {
    /// Processor time of all its threads, user and system.
    let cpuSeconds: Double
    let residentBytes: Int
    /// Bytes of these in pages of files: the database that SQLite maps, and the program. The kernel may reclaim them.
    let mappedBytes: Int

    init(of process: Int32) throws {
        let stat = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The name, in parentheses, may contain anything; the fields after it are separated by spaces.
        let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
        let memory = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        guard fields.count > 12, let user = Double(fields[12]),
            let system = fields.count > 13 ? Double(fields[13]) : nil,
            memory.count > 2, let pages = Int(memory[1]), let mapped = Int(memory[2])
        else { throw Program.Failure(description: "/proc/\(process) cannot be read") }
        cpuSeconds = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        residentBytes = pages * sysconf(Int32(_SC_PAGESIZE))
        mappedBytes = mapped * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension Int {
    /// So many bytes in mebibytes.
    var mebibytes: Double { Double(self) / 1_048_576 }
}
