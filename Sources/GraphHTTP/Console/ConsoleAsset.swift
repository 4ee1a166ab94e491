import Crypto
import NIOCore

/// One file of the console, embedded in the binary.
struct ConsoleAsset: Sendable {
    let name: String
    let contentType: String
    let body: ByteBuffer
    let validators: FileValidators

    private init(_ name: String, _ type: ContentType, _ bytes: [UInt8]) {
        self.name = name
        contentType = type.rawValue
        body = ByteBuffer(bytes: bytes)
        // The file has no date: only its content identifies it.
        validators = FileValidators(sha256: Array(SHA256.hash(data: bytes)), modified: 0)
    }

    private enum ContentType: String {
        case html = "text/html; charset=utf-8"
        case script = "text/javascript; charset=utf-8"
        case style = "text/css; charset=utf-8"
        case picture = "image/svg+xml"
    }

    /// The page that loads the others.
    static let page = ConsoleAsset("index.html", .html, PackageResources.index_html)

    /// The files that the page loads, by name.
    static let named = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })

    private static let files = [
        ConsoleAsset("base.css", .style, PackageResources.base_css),
        ConsoleAsset("views.css", .style, PackageResources.views_css),
        ConsoleAsset("narrow.css", .style, PackageResources.narrow_css),
        ConsoleAsset("icon.svg", .picture, PackageResources.icon_svg),
        ConsoleAsset("acting.js", .script, PackageResources.acting_js),
        ConsoleAsset("api.js", .script, PackageResources.api_js),
        ConsoleAsset("app.js", .script, PackageResources.app_js),
        ConsoleAsset("appeals.js", .script, PackageResources.appeals_js),
        ConsoleAsset("charts.js", .script, PackageResources.charts_js),
        ConsoleAsset("communities.js", .script, PackageResources.communities_js),
        ConsoleAsset("dashboard.js", .script, PackageResources.dashboard_js),
        ConsoleAsset("dom.js", .script, PackageResources.dom_js),
        ConsoleAsset("explorer.js", .script, PackageResources.explorer_js),
        ConsoleAsset("media.js", .script, PackageResources.media_js),
        ConsoleAsset("modlog.js", .script, PackageResources.modlog_js),
        ConsoleAsset("parts.js", .script, PackageResources.parts_js),
        ConsoleAsset("people.js", .script, PackageResources.people_js),
        ConsoleAsset("queue.js", .script, PackageResources.queue_js),
        ConsoleAsset("reports.js", .script, PackageResources.reports_js),
        ConsoleAsset("rules.js", .script, PackageResources.rules_js),
        ConsoleAsset("worklist.js", .script, PackageResources.worklist_js),
    ]
}
