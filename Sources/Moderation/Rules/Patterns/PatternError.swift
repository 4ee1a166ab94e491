/// The reason why a text is not a valid pattern, and the position in Unicode scalars from its beginning.
package struct PatternError: Error, Equatable {
    package let offset: Int
    package let message: String

    init(_ offset: Int, _ message: String) {
        self.offset = offset
        self.message = message
    }
}
