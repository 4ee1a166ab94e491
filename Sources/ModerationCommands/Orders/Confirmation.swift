import CommandSupport
import Foundation

/// Asks the person at the terminal before a change.
struct Confirmation: Sendable {
    /// Asks a question and returns the answer; nil if there is no terminal.
    let ask: @Sendable (String) -> String?

    /// Asks at the terminal of the command, even if standard input is a list of subjects. Without a terminal nobody is
    /// asked.
    static let terminal = Confirmation { question in
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        StandardError.write(question)
        if isatty(STDIN_FILENO) == 1 { return readLine() ?? "" }
        guard let terminal = fopen("/dev/tty", "r") else { return nil }
        defer { fclose(terminal) }
        var (text, byte) = ([UInt8](), fgetc(terminal))
        while byte != EOF, byte != 10 {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(terminal)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Throws ``ModerationFailure`` unless the answer is yes.
    func require(_ what: String) throws {
        guard let answer = ask("\(TerminalText.safe(what))\nGo on? [y/N] ") else { return }
        guard ["y", "yes"].contains(answer.lowercased().filter { !$0.isWhitespace }) else {
            throw ModerationFailure(.failed, "Nothing was changed.")
        }
    }
}
