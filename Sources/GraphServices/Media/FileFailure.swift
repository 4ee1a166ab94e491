import Foundation

/// A call of the file system that failed.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
    let call: String
    /// As `errno` gave it.
    package let number: Int32

    /// Takes `errno` as it is now.
    package init(_ call: String) {
        self.init(call, number: errno)
    }

    package init(_ call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    package var description: String { "\(call): \(String(cString: strerror(number)))" }

    /// As a client is told.
    package var problem: Problem {
        switch number {
        case ENOSPC, EDQUOT:
            Problem(
                .insufficientStorage, "The server has no room for this file.",
                advice: [.retryWhenThereIsRoom], underlying: self)
        default:
            Problem(
                .unavailable, "The file cannot be stored or read at the moment; try again.",
                advice: [.retry(afterSeconds: 1)], underlying: self)
        }
    }
}
