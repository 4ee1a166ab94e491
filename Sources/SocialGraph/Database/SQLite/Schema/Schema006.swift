/// The index of posts is merged by ``TextIndexMerger``, not within commits.
enum Schema006 {
    static let sql = "INSERT INTO post_text (post_text, rank) VALUES ('automerge', 0)"
}
