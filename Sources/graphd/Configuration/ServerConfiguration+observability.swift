import Logging

/// Settings of what the server tells its operator.
extension ServerConfiguration {
    mutating func readObservability(_ sources: SettingSources) throws {
        try sources.read(.logLevel, Self.oneOf(Logger.Level.allCases), into: &logLevel) {
            Logger.Level(rawValue: $0)
        }
        try sources.read(.logFormat, Self.oneOf(LogFormat.allCases), into: &logFormat) {
            LogFormat(rawValue: $0)
        }
        try sources.read(.logFile, "the path of a file", into: &logFile) { $0.contains("\0") ? nil : .some($0) }
        try sources.read(.traces, Self.expectedURL, into: &traces) { Self.baseURL($0).map { .some($0) } }
        try sources.read(.traceRatio, "a number from 0 to 1, such as 0.05", into: &traceRatio) { text in
            Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
        }
    }
}
