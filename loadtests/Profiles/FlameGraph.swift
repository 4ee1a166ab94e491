/// A picture of stacks (Gregg, "The Flame Graph", CACM 2016): a frame is above its caller, and as wide as its share of
/// samples. Siblings are in alphabetical order. One self-contained SVG; a click widens a frame to the whole width, a
/// click on the lowest frame resets it.
struct FlameGraph {
    private final class Frame {
        var samples = 0
        var callees: [String: Frame] = [:]

        func callee(_ name: String) -> Frame {
            if let known = callees[name] { return known }
            let made = Frame()
            callees[name] = made
            return made
        }

        var depth: Int { 1 + (callees.values.map(\.depth).max() ?? 0) }
    }

    let title: String
    let stacks: FoldedStacks

    private static let width = 1200.0
    private static let (row, head, foot) = (17.0, 44.0, 12.0)
    /// Smallest width; narrower frames are left out.
    private static let least = 0.3
    private static let letter = 6.3

    var svg: String {
        let root = Frame()
        for (stack, count) in stacks.counts {
            var frame = root
            frame.samples += count
            for name in stack {
                frame = frame.callee(name)
                frame.samples += count
            }
        }
        let rows = root.depth
        let height = Self.head + Double(rows) * Self.row + Self.foot
        var boxes = ""
        draw("all", root, left: 0, level: 0, height: height, total: max(root.samples, 1), &boxes)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.width.short) \(Int(height))" font-size="11" \
            font-family="ui-monospace, monospace"><style>text { pointer-events: none } \
            g:hover > rect { stroke: #1c2430 } .title { font: 600 16px system-ui, sans-serif }</style>
            <rect width="100%" height="100%" fill="#fbfcfd"/>
            <text class="title" x="8" y="26">\(title.escaped)</text>
            \(boxes)<script><![CDATA[\(Self.script)]]></script></svg>

            """
    }

    private func draw(
        _ name: String, _ frame: Frame, left: Double, level: Int, height: Double, total: Int, _ boxes: inout String
    ) {
        let scale = Self.width / Double(total)
        let width = Double(frame.samples) * scale
        guard width >= Self.least else { return }
        let top = height - Self.foot - Double(level + 1) * Self.row
        let share = Double(frame.samples) * 100 / Double(total)
        boxes += """
            <g data-x="\(Self.exact(left))" data-w="\(Self.exact(width))" data-n="\(name.escaped)">\
            <title>\(name.escaped): \(frame.samples), \(share.short) %</title>\
            <rect x="\(Self.exact(left))" y="\(Self.exact(top))" width="\(Self.exact(width))" \
            height="\(Self.exact(Self.row - 1))" rx="1.5" fill="\(Self.colour(name))"/>\
            <text x="\(Self.exact(left + 3))" y="\(Self.exact(top + 12))">\(Self.label(name, width).escaped)</text></g>

            """
        var next = left
        for (callee, frame) in frame.callees.sorted(by: { $0.key < $1.key }) {
            draw(callee, frame, left: next, level: level + 1, height: height, total: total, &boxes)
            next += Double(frame.samples) * scale
        }
    }

    /// Returns as much of the name as fits.
    private static func label(_ name: String, _ width: Double) -> String {
        let room = Int((width - 6) / letter)
        if name.count <= room { return name }
        return room < 3 ? "" : name.prefix(room - 1) + "…"
    }

    /// Returns a colour by name: kernel blue, C green, Swift warm.
    private static func colour(_ name: String) -> String {
        let hash = name.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        let tint = Int(hash % 40)
        if name.hasPrefix("sqlite3") { return "hsl(\(200 + tint / 2) 60% \(72 + tint / 4)%)" }
        let isSwift = name.contains("(") || name.contains("swift") || name.contains(".")
        return isSwift ? "hsl(\(14 + tint) 85% \(66 + tint / 5)%)" : "hsl(\(120 + tint) 35% \(70 + tint / 5)%)"
    }

    private static func exact(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static let script = """
        const boxes = [...document.querySelectorAll('g')];
        for (const box of boxes) box.addEventListener('click', () => {
          const left = +box.dataset.x, scale = \(Int(width)) / +box.dataset.w;
          for (const other of boxes) {
            const x = (+other.dataset.x - left) * scale, w = +other.dataset.w * scale;
            const from = Math.max(x, 0), to = Math.min(x + w, \(Int(width)));
            other.style.display = to - from > \(least) ? '' : 'none';
            const [rect, text] = [other.querySelector('rect'), other.querySelector('text')];
            rect.setAttribute('x', from); rect.setAttribute('width', Math.max(to - from, 0));
            text.setAttribute('x', from + 3);
            const room = Math.floor((to - from - 6) / \(letter)), name = other.dataset.n;
            text.textContent = name.length <= room ? name : room < 3 ? '' : name.slice(0, room - 1) + '…';
          }
        });
        """
}
