/// The files of the demo page, embedded in the binary.
enum DemoFiles {
    static let site = EmbeddedSite(
        "The demo page", EmbeddedFile("demo.html", .html, PackageResources.demo_html),
        files: [
            EmbeddedFile("frame.css", .style, PackageResources.frame_css),
            EmbeddedFile("posts.css", .style, PackageResources.posts_css),
            EmbeddedFile("acts.js", .script, PackageResources.acts_js),
            EmbeddedFile("algorithms.js", .script, PackageResources.algorithms_js),
            EmbeddedFile("card.js", .script, PackageResources.card_js),
            EmbeddedFile("comments.js", .script, PackageResources.comments_js),
            EmbeddedFile("demo.js", .script, PackageResources.demo_js),
            EmbeddedFile("elements.js", .script, PackageResources.elements_js),
            EmbeddedFile("feed.js", .script, PackageResources.feed_js),
            EmbeddedFile("poster.js", .script, PackageResources.poster_js),
            EmbeddedFile("scenes.js", .script, PackageResources.scenes_js),
            EmbeddedFile("session.js", .script, PackageResources.session_js),
            EmbeddedFile("sheets.js", .script, PackageResources.sheets_js),
            EmbeddedFile("stream.js", .script, PackageResources.stream_js),
            EmbeddedFile("suggestions.js", .script, PackageResources.suggestions_js),
            EmbeddedFile("theme.js", .script, PackageResources.theme_js),
            EmbeddedFile("timeline.js", .script, PackageResources.timeline_js),
            EmbeddedFile("why.js", .script, PackageResources.why_js),
        ])
}
