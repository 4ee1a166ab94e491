/// A command that cannot do its work. The text says what was wrong and what would be right.
struct CommandFailure: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) { self.description = description }
}
