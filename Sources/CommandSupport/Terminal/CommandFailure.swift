/// A failure of a command. The text says what was wrong and what would be right.
package struct CommandFailure: Error, CustomStringConvertible, Equatable {
    package let description: String

    package init(_ description: String) { self.description = description }
}
