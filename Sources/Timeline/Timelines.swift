import Saves
import SocialGraph

/// The readers of timelines and related data: one for each topic, over one set of caches, under one rule.
package final class Timelines: Sendable {
    package let home: HomeReader
    package let feeds: FeedReader
    package let lists: ListReader
    package let posts: PostReader
    package let conversations: ConversationReader
    package let notifications: NotificationReader
    package let saves: SaveReader
    package let details: DetailReader
    package let filters: FilterLookup
    package let explainer: Explainer

    init(graph: GraphStore, home: HomeReader, details: DetailCaches) {
        let (caches, posts) = (home.sources.caches, PostReader(caches: home.sources.caches))
        self.home = home
        self.posts = posts
        feeds = FeedReader(feeds: graph.feeds, caches: caches)
        lists = ListReader(caches: caches)
        conversations = ConversationReader(comments: graph.comments, posts: posts)
        notifications = NotificationReader(
            store: graph.notifications, comments: graph.comments, caches: caches)
        saves = SaveReader(saves: graph.saves, likes: graph.likes, collections: graph.collections, posts: posts)
        self.details = DetailReader(caches: caches, details: details)
        filters = FilterLookup(caches: caches)
        explainer = Explainer(feeds: graph.feeds, home: home)
    }
}
