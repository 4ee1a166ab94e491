"""Names of Swift types, members and methods for those of the document."""

import re

# Components whose names mean something else in Swift, in Foundation or to a reader.
TYPES = {
    "Collection": "PostCollection",
    "Notification": "NotificationItem",
    "Save": "SavedPost",
    "Sessions": "SessionList",
    "Devices": "DeviceList",
    "Reminders": "ReminderList",
    "Webhooks": "WebhookList",
    "AppWebhooks": "AppWebhookList",
    "Trends": "TrendList",
    "Algorithms": "AlgorithmList",
    "Strikes": "StrikeList",
    "MutedWords": "MutedWordList",
    "Contents": "SegmentList",
    "Export": "AccountExport",
    "Refresh": "RefreshRequest",
}

# Types without a name in the document, by the type that contains them and the member.
INNER_TYPES = {
    "SessionListItems": "ActiveSession",
    "TrendListItems": "Trend",
    "SegmentListSegments": "Segment",
    "TranscriptCues": "TranscriptCue",
    "VerdictReasons": "VerdictReason",
    "ExploredHomeItems": "ExploredItem",
    "SavePageItems": "SavedItem",
    "FollowedTopicsItems": "FollowedTopic",
    "RuleDryRunItems": "RuleDryRunMatch",
    "QueuePageItems": "QueueItem",
    "ModeratedMemberPageItems": "ModeratedMemberItem",
    "AlgorithmListAlgorithms": "Algorithm",
    "ReadinessProblems": "ReadinessProblem",
    "FeedItemVisibility": "PostVisibility",
    "NewPostVisibility": "PostVisibility",
    "RecommendedItemVisibility": "PostVisibility",
    "GetTrendingTimelineWindow": "TrendingWindow",
    "ListTrendsWindow": "TrendWindow",
    "ListTrendsKind": "TrendKind",
    "ListReportsKind": "ReportedKind",
    "ListReportCasesKind": "ReportedKind",
    "ListReportsStatus": "ReportListStatus",
    "ListReportCasesStatus": "ReportListStatus",
    "ListAppealsStatus": "AppealListStatus",
    "SearchPostsSort": "SearchSort",
    "SearchPostsDuration": "DurationClass",
    "ListCommentsThread": "CommentThread",
    "ProfileChangeAutoAcceptCollaborations": "AutoAcceptCollaborations",
    "OwnAccountAutoAcceptCollaborations": "AutoAcceptCollaborations",
    "GetHealthAnswer": "Health",
    "GetPublicTimelineAnswer": "PublicPage",
}

# Groups of methods by tag.
GROUPS = {"vistavid": "VistaVid", "fitstream": "FitStream", "reelai": "ReelAI", "fitfocus": "FitFocus"}

# Words that a method need not repeat, because its group says them.
GROUP_NOUNS = {
    "posts": "Post",
    "comments": "Comment",
    "communities": "Communit(?:y|ies)",
    "timelines": "Timeline",
    "notifications": "Notifications?",
    "media": "Media",
    "search": "search",
    "saves": "Saves",
    "follows": "none",
    "topics": "Topics?",
    "segments": "Segments",
}

# Methods that read all pages, where the rule of `all_items` gives a name that reads badly.
ALL_ITEMS = {"posts": "allPosts", "communities": "allCommunities"}

# Methods whose name does not follow from the operation and its group.
METHODS = {
    "publishPost": "create",
    "comment": "create",
    "listComments": "list",
    "streamHome": "homeStream",
    "streamPost": "stream",
    "getPublicTimeline": "publicPosts",
    "getHomeTimeline": "home",
    "getTrendingTimeline": "trending",
    "getForYouTimeline": "forYou",
    "getUserTimeline": "user",
    "getCommunityTimeline": "community",
    "explainPost": "explain",
    "listTrends": "trends",
    "listAlgorithms": "algorithms",
    "searchPosts": "posts",
    "searchUsers": "users",
    "searchCommunities": "communities",
    "searchSimilar": "similar",
    "countUnreadNotifications": "unreadCount",
    "markAllNotificationsRead": "markAllRead",
    "markNotificationRead": "markRead",
    "storeMedia": "upload",
    "getMedia": "download",
    "setCommunityHome": "setHome",
    "listOwnCommunities": "listOwn",
    "listOwnLikes": "listLikes",
    "listSaves": "list",
    "replaceSegments": "replace",
    "listSegments": "list",
    "followTopic": "follow",
    "unfollowTopic": "unfollow",
    "listTopics": "list",
    "getReport": "getReport",
}

KEYWORDS = {
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
}


def upper_first(name):
    return name[:1].upper() + name[1:]


def lower_first(name):
    return name[:1].lower() + name[1:]


def camel_case(name):
    """`user_id`, `video/mp4` and `If-Range` in the way of Swift's members."""
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", name) if part]
    joined = parts[0] + "".join(upper_first(part) for part in parts[1:]) if parts else "empty"
    joined = joined.lower() if joined.isupper() else lower_first(joined)
    return "value" + joined if joined[0].isdigit() else joined


def escaped(name):
    return f"`{name}`" if name in KEYWORDS else name


def type_of(component):
    return TYPES.get(component, component)


def inner_type(parent, member):
    name = parent + upper_first(camel_case(member))
    return INNER_TYPES.get(name, name)


def operation_type(operation, suffix):
    """The name of a type that belongs to an operation."""
    name, group = operation.name, GROUPS.get(operation.tag)
    if group:
        name = group + name[len(group):]
    return inner_type(upper_first(name), suffix)


def group_type(tag):
    return GROUPS.get(tag, upper_first(tag)) + "API"


def method_of(operation):
    name, tag = operation.name, operation.tag
    if name in METHODS:
        return METHODS[name]
    if name.startswith(tag) and name != tag:
        return lower_first(name[len(tag):])
    noun = GROUP_NOUNS.get(tag)
    shortened = re.sub(f"^([a-z]+){noun}$", r"\1", name) if noun else name
    return lower_first(re.sub("^get(?=[A-Z])", "", shortened))


def all_items(method):
    """The name of the method that reads all pages of a list."""
    if method in ALL_ITEMS:
        return ALL_ITEMS[method]
    return "all" + method[len("list"):] if method.startswith("list") else method + "Items"
