import AsyncHTTPClient
import Foundation
import Glibc
import GraphAPI
import NIOCore
import ServiceTestSupport
import Testing

@testable import StrictJSON

/// A headless Chromium, driven by chromedriver over HTTP (W3C WebDriver).
struct Browser: Sendable {
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// The longest wait for a change on a page, long enough for a busy machine.
    private static let patience = Duration.seconds(60)

    private let client: APIClient
    private let session: String

    /// Runs `body` with a browser and always closes it afterwards.
    ///
    /// - Parameter isStill: has pages told that their reader prefers reduced motion. Drawing what moves takes a
    ///   processor without a graphics card more than all else that a page does.
    static func open<T: Sendable>(isStill: Bool = true, _ body: (Browser) async throws -> T) async throws -> T {
        let (driver, port) = try await start()
        do {
            let client = APIClient(http: .shared, base: "http://127.0.0.1:\(port)", token: nil, timeout: .minutes(2))
            let browser = try await Browser(client, isStill: isStill)
            do {
                let value = try await body(browser)
                await browser.end(driver)
                return value
            } catch {
                await browser.end(driver)
                throw error
            }
        } catch {
            driver.signal(SIGTERM)
            _ = await driver.wait()
            throw error
        }
    }

    /// Starts chromedriver. It takes a free port for IPv6 first and ends if another program has the same one for IPv4.
    private static func start(attempts: Int = 5) async throws -> (driver: GraphdProcess, port: Substring) {
        // chromedriver prints the port that it has chosen to standard output.
        let driver = try GraphdProcess(["-c", "exec chromedriver --port=0 1>&2"], executable: "/bin/sh")
        do {
            let line = try await driver.line { $0.contains("started successfully on port") }
            return (driver, line.split(whereSeparator: { !$0.isNumber }).last ?? "")
        } catch {
            driver.signal(SIGTERM)
            _ = await driver.wait()
            guard attempts > 1, "\(error)".contains("Address already in use") else { throw error }
            return try await start(attempts: attempts - 1)
        }
    }

    private init(_ client: APIClient, isStill: Bool) async throws {
        self.client = client
        var arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"]
        if isStill { arguments.append("--force-prefers-reduced-motion") }
        let options = "\"args\":[\(arguments.map { "\"\($0)\"" }.joined(separator: ","))]"
        let wanted = #"{"goog:chromeOptions":{\#(options)},"goog:loggingPrefs":{"browser":"ALL"}}"#
        let answer = try await client.post("/session", #"{"capabilities":{"alwaysMatch":\#(wanted)}}"#)
        guard let id = try answer.json["value"]?["sessionId"]?.text else { throw UnexpectedAnswer(answer) }
        session = "/session/\(id)"
    }

    /// Closes the browser, even if the test has been cancelled: a new task is not.
    private func end(_ driver: GraphdProcess) async {
        await Task { _ = try? await client.delete(session) }.value
        driver.signal(SIGTERM)
        _ = await driver.wait()
    }

    @discardableResult
    private func command(_ path: String, _ json: String) async throws -> JSONValue? {
        let answer = try await client.post(session + path, json)
        guard answer.status == 200 else { throw Refused(description: "\(path) \(json.prefix(300)): \(answer)") }
        return try answer.json["value"]
    }

    func go(to address: String) async throws { try await command("/url", #"{"url":\#(quoted(address))}"#) }

    /// Runs a function body and returns its result. `arguments` are strings.
    @discardableResult
    func run(_ script: String, _ arguments: String...) async throws -> JSONValue? {
        let list = arguments.map(quoted).joined(separator: ",")
        return try await command("/execute/sync", #"{"script":\#(quoted(script)),"args":[\#(list)]}"#)
    }

    /// Waits until an expression is true.
    func wait(
        until expression: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let list = arguments.map(quoted).joined(separator: ",")
        let body = #"{"script":\#(quoted("return Boolean(\(expression))")),"args":[\#(list)]}"#
        let start = ContinuousClock.now
        while try await command("/execute/sync", body) != .bool(true) {
            guard start.duration(to: .now) < Self.patience else {
                let page = try await run("return document.body.innerText")?.text ?? ""
                Issue.record("never: \(expression) \(arguments), but\n\(page)", sourceLocation: sourceLocation)
                throw Refused(description: expression)
            }
            // Not for synchronisation: a busy loop would take processor time from the page.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Types into the focused element, as a person does. U+E007 is Enter.
    func type(_ text: String) async throws {
        let keys = text.map { key in
            #"{"type":"keyDown","value":\#(quoted(String(key)))},{"type":"keyUp","value":\#(quoted(String(key)))}"#
        }
        try await command(
            "/actions", #"{"actions":[{"type":"key","id":"keys","actions":[\#(keys.joined(separator: ","))]}]}"#)
    }

    /// Gives the page the size of a screen, in pixels.
    func resize(width: Int, height: Int, isPhone: Bool = false) async throws {
        let size = #""width":\#(width),"height":\#(height),"deviceScaleFactor":1,"mobile":\#(isPhone)"#
        try await command(
            "/goog/cdp/execute", #"{"cmd":"Emulation.setDeviceMetricsOverride","params":{\#(size)}}"#)
    }

    /// Gives the page light or dark colours, as the system of a person would.
    func prefer(_ colours: String) async throws {
        let features = #"[{"name":"prefers-color-scheme","value":"\#(colours)"}]"#
        try await command(
            "/goog/cdp/execute", #"{"cmd":"Emulation.setEmulatedMedia","params":{"features":\#(features)}}"#)
    }

    /// Writes a picture of the page as a PNG file into the directory that `GRAPHD_PICTURES` names, if it is set.
    func picture(_ name: String) async throws {
        guard let directory = ProcessInfo.processInfo.environment["GRAPHD_PICTURES"] else { return }
        let answer = try await client.get(session + "/screenshot")
        guard let text = try answer.json["value"]?.text, let bytes = Data(base64Encoded: text) else {
            throw UnexpectedAnswer(answer)
        }
        try bytes.write(to: URL(fileURLWithPath: "\(directory)/\(name).png"))
    }

    /// Presses the middle of the first element that a selector finds, which must not be covered.
    func press(_ selector: String) async throws {
        try await wait(until: "document.querySelector(arguments[0])", selector)
        let found = try await command("/element", #"{"using":"css selector","value":\#(quoted(selector))}"#)
        guard case .object(let members)? = found, let id = members.first?.value.text else {
            throw Refused(description: selector)
        }
        try await command("/element/\(id)/click", "{}")
    }

    /// Focuses the first element that a selector finds, and types.
    func type(_ text: String, into selector: String) async throws {
        try await wait(until: "document.querySelector(arguments[0])", selector)
        try await run("document.querySelector(arguments[0]).focus()", selector)
        try await type(text)
    }

    /// The errors of scripts and of the browser itself, without unsuccessful HTTP answers and advice.
    func complaints() async throws -> [String] {
        let entries = try await command("/se/log", #"{"type":"browser"}"#)?.entries ?? []
        return entries.filter { !["network", "recommendation"].contains($0["source"]?.text) }
            .compactMap { $0["message"]?.text }
    }

    private func quoted(_ text: String) -> String {
        var json = JSONWriter()
        json.string(text)
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
