import Database
import GraphAPI
import GraphServices
import Logging
import SocialGraph

/// Writes each log event as one line to a `LogSink`.
///
/// In JSON: `{"ts":…,"level":…,"label":…,"message":…}` with the metadata flattened beside them (nested keys joined by
/// dots, lists as JSON lists). A metadata key equal to one of those four names is written as `metadata.<name>`.
struct LineLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let format: LogFormat
    private let sink: any LogSink

    init(label: String, level: Logger.Level, format: LogFormat, sink: any LogSink) {
        self.label = label
        self.logLevel = level
        self.format = format
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() {
            all.merge(provided) { _, new in new }
        }
        if let own = event.metadata {
            all.merge(own) { _, new in new }
        }
        if let error = event.error {
            all[LogKeys.error] = .string("\(error)")
        }
        let milliseconds = SystemClock.milliseconds()
        switch format {
        case .json: sink.write(line: LogLine.json(label, event, all, milliseconds))
        case .text: sink.write(line: LogLine.text(label, event, all, milliseconds))
        }
    }
}
