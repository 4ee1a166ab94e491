import Glibc

/// Messages on standard error; standard output carries results only.
package enum StandardError {
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    package static func print(_ line: String) { write(line + "\n") }

    package static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno != EINTR {
                // A message that nobody can receive must not end the work behind it.
                return
            }
        }
    }
}
