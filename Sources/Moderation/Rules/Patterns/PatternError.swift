/// Why a text is no pattern, and where: in Unicode scalars from its beginning.
package struct PatternError: Error, Equatable {
    package let offset: Int
    package let message: String

    init(_ offset: Int, _ message: String) {
        self.offset = offset
        self.message = message
    }
}
