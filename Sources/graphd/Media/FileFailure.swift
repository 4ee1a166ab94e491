import Foundation
import HTTPTypes

/// A call of the file system that failed.
struct FileFailure: Error, Equatable, CustomStringConvertible {
    let call: String
    /// As `errno` gave it.
    let number: Int32

    /// Takes `errno` as it is now.
    init(_ call: String) {
        self.init(call, number: errno)
    }

    init(_ call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    var description: String { "\(call): \(String(cString: strerror(number)))" }

    /// As a client is told.
    var problem: Problem {
        switch number {
        case ENOSPC, EDQUOT:
            Problem(
                .insufficientStorage, "The server has no room for this file.",
                headers: Problem.retryWhenThereIsRoom, underlying: self)
        default:
            Problem(
                .unavailable, "The file cannot be stored or read at the moment; try again.",
                headers: [.retryAfter: "1"], underlying: self)
        }
    }
}
