import CommandSupport

/// The reason why a line cannot be imported, and a description of an acceptable one.
struct LineProblem: Error, Equatable {
    let text: String

    init(_ wrong: String, _ right: String) { text = "\(wrong); \(right)" }
    init(_ text: String) { self.text = text }
}

/// The malformed lines of a file: all are counted, the first are shown.
struct MalformedLines: Equatable {
    static let shown = 20

    private(set) var count = 0
    /// `line N: …`
    private(set) var messages: [String] = []

    mutating func add(_ problem: LineProblem, line: Int) {
        count += 1
        if messages.count < Self.shown { messages.append("line \(line): \(problem.text)") }
    }

    /// Prints them to standard error.
    func report() {
        for message in messages { StandardError.print(message) }
        if count > messages.count { StandardError.print("and \(count - messages.count) more malformed lines") }
    }
}
