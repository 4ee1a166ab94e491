import CBuildInfo

/// The version of this graphd.
package enum BuildInfo {
    /// The version, by Semantic Versioning 2.0.0.
    package static let version = "0.2.0-dev"
    /// The commit; "unknown" if the build was not given one, see the Makefile.
    package static let commit = String(cString: graphd_commit())
    package static let description = "graphd \(version) (\(commit))"

    /// Renders the version as a metric whose value is always 1, to be joined with others by its labels.
    static func render(help: [String: String], into text: inout PrometheusText) {
        let name = MetricNames.buildInfo
        text.header(name, type: "gauge", help: help[name] ?? "")
        let labels = [PrometheusText.label("commit", commit), PrometheusText.label("version", version)]
        text.sample(name, labels.joined(separator: ","), UInt64(1))
    }
}
