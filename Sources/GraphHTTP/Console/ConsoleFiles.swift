/// The files of the console, embedded in the binary.
enum ConsoleFiles {
    static let site = EmbeddedSite(
        "The console", EmbeddedFile("index.html", .html, PackageResources.index_html),
        files: [
            EmbeddedFile("base.css", .style, PackageResources.base_css),
            EmbeddedFile("views.css", .style, PackageResources.views_css),
            EmbeddedFile("narrow.css", .style, PackageResources.narrow_css),
            EmbeddedFile("icon.svg", .picture, PackageResources.icon_svg),
            EmbeddedFile("acting.js", .script, PackageResources.acting_js),
            EmbeddedFile("api.js", .script, PackageResources.api_js),
            EmbeddedFile("app.js", .script, PackageResources.app_js),
            EmbeddedFile("appeals.js", .script, PackageResources.appeals_js),
            EmbeddedFile("charts.js", .script, PackageResources.charts_js),
            EmbeddedFile("communities.js", .script, PackageResources.communities_js),
            EmbeddedFile("dashboard.js", .script, PackageResources.dashboard_js),
            EmbeddedFile("dom.js", .script, PackageResources.dom_js),
            EmbeddedFile("explorer.js", .script, PackageResources.explorer_js),
            EmbeddedFile("media.js", .script, PackageResources.media_js),
            EmbeddedFile("modlog.js", .script, PackageResources.modlog_js),
            EmbeddedFile("parts.js", .script, PackageResources.parts_js),
            EmbeddedFile("people.js", .script, PackageResources.people_js),
            EmbeddedFile("queue.js", .script, PackageResources.queue_js),
            EmbeddedFile("reports.js", .script, PackageResources.reports_js),
            EmbeddedFile("rules.js", .script, PackageResources.rules_js),
            EmbeddedFile("worklist.js", .script, PackageResources.worklist_js),
        ])
}
