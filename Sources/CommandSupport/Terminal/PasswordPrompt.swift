import Foundation

/// A secret that a person types.
package enum PasswordPrompt {
    /// Reads one line of standard input, without echo if that is a terminal, which shows `prompt`.
    ///
    /// - Returns: nil if there is no line, or an empty one.
    package static func read(_ prompt: String) -> String? {
        let isTerminal = isatty(STDIN_FILENO) == 1
        var settings = termios()
        if isTerminal {
            StandardError.write(prompt)
            tcgetattr(STDIN_FILENO, &settings)
            var silent = settings
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        }
        defer {
            if isTerminal {
                tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
                StandardError.write("\n")
            }
        }
        return readLine().flatMap { $0.isEmpty ? nil : $0 }
    }

    /// True if a person types, who can be asked again.
    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
