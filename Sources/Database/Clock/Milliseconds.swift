/// Spans of time in milliseconds.
package enum Milliseconds {
    package static let second: Int64 = 1_000
    package static let minute: Int64 = 60 * second
    package static let hour: Int64 = 60 * minute
    package static let day: Int64 = 24 * hour
}
