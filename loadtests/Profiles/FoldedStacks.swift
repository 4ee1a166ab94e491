import Foundation

/// How often each stack was seen, or how many instructions it took; the outermost frame first.
struct FoldedStacks {
    private(set) var counts: [[String]: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    /// - Parameter script: what `perf script -F comm,ip,sym` prints: for each sample a line with the thread's name,
    ///   then
    ///   a line `address symbol` for each frame, innermost first, then an empty line.
    init(perfScript script: String) {
        var thread: String?
        var frames: [String] = []
        func close(_ counts: inout [[String]: Int]) {
            if let thread { counts[[thread] + frames.reversed(), default: 0] += 1 }
            (thread, frames) = (nil, [])
        }
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.isEmpty {
                close(&counts)
            } else if thread == nil {
                thread = text
            } else {
                frames.append(Self.symbol(text))
            }
        }
        close(&counts)
    }

    /// - Parameter output: what `valgrind --tool=callgrind --separate-callers=…` writes: functions with their callers
    ///   after
    ///   apostrophes, and instructions of each line. Names are given once, and later by their number.
    init(callgrind output: String) {
        var names: [Substring: [String]] = [:]
        var function: [String] = []
        var isCall = false
        for line in output.split(separator: "\n") {
            if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
                let name = line.drop { $0 != "(" }
                let number = name.prefix { $0 != ")" }
                let rest = name.dropFirst(number.count + 2)
                if !rest.isEmpty { names[number] = rest.split(separator: "'").reversed().map(String.init) }
                if line.hasPrefix("fn=") { function = names[number] ?? [] }
            } else if line.hasPrefix("calls=") {
                isCall = true
            } else if let first = line.first, first.isNumber || "+-*".contains(first) {
                // The line after a call says what the callee took, which is counted there.
                let cost = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
                if !isCall, let cost, !function.isEmpty { counts[function, default: 0] += cost }
                isCall = false
            }
        }
    }

    /// Swift's names as people write them. Names that mean the same become one.
    mutating func demangle() throws {
        let names = Array(Set(counts.keys.joined())).sorted()
        let directory = try Scratch.directory("names")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = directory + "/names"
        try names.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        let swift = try Program.run(Program.find("sh"), ["-c", "command -v swift"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let output = try Program.run(
            Program.find("sh"), ["-c", "exec \"$0\" demangle --simplified < \"$1\"", swift, file])
        let readable = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard readable.count >= names.count else { return }
        let byName = Dictionary(uniqueKeysWithValues: zip(names, readable))
        counts = Dictionary(
            counts.map { stack, count in
                let frames = stack.map { byName[$0] ?? $0 }.filter { name in
                    !Self.noise.contains { name.hasPrefix($0) }
                }
                return (frames, count)
            }, uniquingKeysWith: +)
    }

    /// What the compiler puts between two functions of ours.
    private static let noise = ["partial apply for ", "thunk for ", "reabstraction thunk "]

    /// Without its address and, after a plus sign, the offset.
    private static func symbol(_ line: String) -> String {
        let name = line.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? "[unknown]"
        return name.split(separator: "+", maxSplits: 1).first.map(String.init) ?? name
    }
}
