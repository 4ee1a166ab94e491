# Sourced by self-test.sh. Offenders and clean files for the rules of Swift code, comments and tests.

swift_cases() {
    offends force-try Sources/ForceTry.swift 1 <<'SWIFT'
let a = try! f()
let b = try? f() // try! is not for us
SWIFT
    echo 'let a = try! f()' | accepts Tests/ForceTry.swift
    offends force-cast Sources/ForceCast.swift 1 <<'SWIFT'
let a = b as! C
let text = "as! and try! and x!"
SWIFT
    offends force-unwrap Sources/ForceUnwrap.swift 1 2 3 4 5 6 7 <<'SWIFT'
let a = b!
let c = f()!.d
let e = g["x"]![0]
let h = URL(string: "x")!
var i: Int!
let j = "\(k!)"
let l = { 1 }()! + 1
SWIFT
    accepts Sources/NoForceUnwrap.swift <<'SWIFT'
let a = b != c && !d || a!=b
if !done { return !flag }
list.filter { !$0.isEmpty }.sort(by: !=)
#if !os(Linux)
let wow = "wow! \(name)! \(f(!x, "inner!"))!"
#endif
/* block! /* nested! */ still! */
let raw = #"a!" \(b!) "#
let many = """
    every! "quoted"! \(value) line!
    """
func != (a: Int, b: Int) -> Bool { false }
let pattern = #/a"b!/#
SWIFT
    offends unproved-safety Sources/Unsafe.swift 1 2 14 <<'SWIFT'
final class A: @unchecked Sendable {}
nonisolated(unsafe) var b = 0
// Proof: only touched on the thread that made it.
final class C: @unchecked Sendable {}

// Proof: a long one
// that goes on
nonisolated(unsafe) var d = 0
let filler = 9
let filler = 10
let filler = 11
let filler = 12
nonisolated(unsafe) var near = 13
nonisolated(unsafe) var far = 14
SWIFT
    offends dropped-task Sources/Tasks.swift 2 3 4 5 6 <<'SWIFT'
func a() {
    Task { await b() }
    _ = Task { await b() }
    Task.detached(priority: .low) { await b() }
    if x { Task<Void, Never> { await b() } }
    list.forEach { item in Task { await item.b() } }
    let kept = Task { await b() }
    handle =
        Task { await b() }
    tasks.append(Task { await b() })
    await Task { await b() }.value
    try await Task.sleep(for: .seconds(1))
    // Owner: `run` cancels it.
    Task { await b() }
}
SWIFT
    offends print Sources/Print.swift 1 2 <<'SWIFT'
print("a")
if x { Swift.print("b") }
report.print("c")
func print(_ text: String) {}
fingerprint("d")
SWIFT
    echo 'print("a")' | accepts Sources/graphd/Commands/Print.swift
    echo 'print("a")' | accepts Sources/CommandSupport/Print.swift
    offends time-limit Tests/Suites.swift 1 6 18 23 29 <<'SWIFT'
struct UnlimitedTests {
    @Test func `a holds`() {}
}

extension Elsewhere {
    @Suite struct NestedTests {
        @Test(arguments: [1].map { $0 }) func `b holds`(n: Int) {}
    }
}
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LimitedTests {
    let c = Fixture()
    @Test func `c holds`() {}
    struct InnerTests {
        @Test func `d holds`() {}
    }
}
@Suite enum Container {}
struct Plain {
    func e() {}
}
extension LimitedTests { @Test func `f holds`() {} }
@Test func `g holds`() {}
@Test(.timeLimit(.minutes(1))) func `h holds`() {}
extension LimitedElsewhereTests {
    @Test func `i holds`() {}
}
@Suite
final class LateTests {
    @Test func `j holds`() {}
}
SWIFT
    accepts Tests/LimitedElsewhere.swift <<'SWIFT'
@Suite(.timeLimit(.minutes(2))) struct LimitedElsewhereTests {}
SWIFT
    offends skipped-test Tests/Skipped.swift 1 2 3 <<'SWIFT'
@Test(.disabled("slow"), .timeLimit(.minutes(1))) func `a holds`() {}
@Test(.enabled(if: fast), .timeLimit(.minutes(1))) func `b holds`() {}
throw XCTSkip()
let text = ".disabled("
SWIFT
    offends test-name Tests/Names.swift 3 5 7 8 12 <<'SWIFT'
@Suite(.timeLimit(.minutes(1)))
struct NamedTests {
    @Test func aSentenceInOneWord() {}
    @Test(arguments: ["a"])
    func `word`(a: String) {}
    @Test(arguments: ["a"]) func `a sentence in words`(a: String) {}
    @Test("a title") func `another sentence`() {}
    @Test(.timeLimit(.minutes(1))) func short() {}
    @Test(arguments: [
        "an argument"
    ]) func `a third sentence`(a: String) {}
    struct InnerCases { @Test func `a fourth sentence`() {} }
    func helper() {}
}
SWIFT
    offends test-name Tests/TitledTests.swift 1 3 <<'SWIFT'
@Suite("A title", .timeLimit(.minutes(1))) struct TitledTests {
    @Test(
        "a title of its own line", arguments: [1])
    func `a sentence in words`(a: Int) {}
}
SWIFT
    offends test-sleep Tests/Sleep.swift 1 2 <<'SWIFT'
try await Task.sleep(for: .seconds(1))
usleep(5)
// Not for synchronisation: this is the delay under test.
sleep(1)
struct Clock { func sleep(until: Int) {} }
SWIFT
    sed -n 1,1p Tests/Sleep.swift | accepts Sources/Sleep.swift
}

comment_cases() {
    offends comment-opening Sources/Openings.swift 1 2 4 6 9 11 12 <<'SWIFT'
/// What is kept of a post.
// How many are kept.
/// The newest posts.
//Where the next page begins.
struct Openings {
    /// Whether the page is the last one.
    let isLast: Bool

    /// Of the page.

    // Which of them
    /// Whose posts
}
SWIFT
    accepts Sources/NoOpenings.swift <<'SWIFT'
/// The posts that a reader sees, and
/// what is hidden from them.
///
/// Of two posts, the newer one comes first.
struct NoOpenings {
    // Wholly new, however it is written: "What".
    // MARK: What
    let text = """
        // What a string holds
        """
    let last = 1 // Of this line only.
    /*
    // What another comment holds
    */
    /// Offers.
    // Whatever
}
SWIFT
    for path in loadtests Tests; do echo '// Whom it is for' | offends comment-opening "$path/Openings.swift" 1; done
    echo '// Whom it is for' | accepts Package.swift
    echo '# What it does' | accepts tools/openings.sh
}
