import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct PageAssemblyTests {
    private func items(_ ids: Int64...) -> [TimelineItem] {
        ids.map { TimelineItem(post: .sample($0), position: FeedPosition(rawValue: $0)) }
    }

    @Test
    func `one item more than the page holds is looked for, and is where the next page begins`() {
        var page = PageAssembly(limit: 2, cursor: nil)
        #expect(page.cursor == .end && page.missing == 3 && !page.isComplete)
        page.append(items(9), lookedDownTo: FeedPosition(rawValue: 8))
        #expect(page.cursor.rawValue == 8 && page.missing == 2 && !page.isComplete)
        page.append(items(7, 6), lookedDownTo: FeedPosition(rawValue: 6))
        #expect(page.isComplete)
        #expect(page.result.items.map(\.post.id.rawValue) == [9, 7])
        #expect(page.result.next?.rawValue == 7)
    }

    @Test(arguments: 0...2)
    func `at the beginning a page is complete, full or not, and has no next`(count: Int) {
        var page = PageAssembly(limit: 2, cursor: FeedPosition(rawValue: 100))
        #expect(page.cursor.rawValue == 100)
        page.append(Array(items(9, 7).prefix(count)), lookedDownTo: .beginning)
        #expect(page.isComplete)
        #expect(page.result.items.count == count && page.result.next == nil)
    }

    @Test
    func `runs without an item lead on, and what is too much is left for the next page`() {
        var page = PageAssembly(limit: 2, cursor: nil)
        page.append([], lookedDownTo: FeedPosition(rawValue: 50))
        #expect(!page.isComplete && page.cursor.rawValue == 50)
        page.append(items(9, 8, 7, 6, 5), lookedDownTo: FeedPosition(rawValue: 5))
        #expect(page.isComplete && page.missing == 0)
        #expect(page.result.items.map(\.post.id.rawValue) == [9, 8] && page.result.next?.rawValue == 8)
    }

    @Test
    func `a page from the beginning downwards is complete and empty`() {
        let page = PageAssembly(limit: 2, cursor: .beginning)
        #expect(page.isComplete && page.result.items.isEmpty && page.result.next == nil)
    }
}
