import Foundation
import GraphServices

/// A failed call of the file system.
package struct FileFailure: StorageFailure, Equatable, CustomStringConvertible {
    let call: String
    /// The value of `errno`.
    package let number: Int32

    /// Captures the present `errno`.
    package init(_ call: String) {
        self.init(call, number: errno)
    }

    package init(_ call: String, number: Int32) {
        self.call = call
        self.number = number
    }

    var isOfFullDisk: Bool { number == ENOSPC || number == EDQUOT }

    package var description: String { "\(call): \(String(cString: strerror(number)))" }

    /// The problem for the client.
    package var problem: Problem {
        if isOfFullDisk {
            Problem(
                .insufficientStorage, "The server has no space for this file.",
                advice: [.retryWhenThereIsRoom], underlying: self)
        } else {
            Problem(
                .unavailable, "The file cannot be stored or read at the moment. Try again shortly.",
                advice: [.retry(afterSeconds: 1)], underlying: self)
        }
    }
}
