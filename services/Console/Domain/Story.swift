import FoundationEssentials

/// A trace as a tree in the order of time.
struct Story: Sendable {
    struct Line: Sendable {
        var program: String
        var span: StoredSpan
        /// The number of spans that enclose it.
        var depth: Int
        /// Nanoseconds after the beginning of the trace.
        var offset: Int64
    }

    var trace: UUID
    var lines: [Line]
    /// Nanoseconds from the beginning of the first span to the end of the last.
    var duration: Int64
    /// Spans with a parent that is not there: it was not kept, or is on its way.
    var orphans: Int

    /// The maximum depth, so that a chain of any length can be shown.
    private static let deepest = 40

    /// - Parameter spans: In any order, and some maybe twice.
    /// - Returns: nil without spans.
    init?(_ trace: UUID, _ spans: [(program: String, span: StoredSpan)]) {
        var byID: [String: (program: String, span: StoredSpan)] = [:]
        for one in spans { byID[one.span.spanId] = one }
        let ordered = byID.values.sorted { ($0.span.start, $0.span.spanId) < ($1.span.start, $1.span.spanId) }
        guard let begin = ordered.first?.span.start else { return nil }
        var children: [String: [String]] = [:]
        var roots: [String] = []
        var orphans = 0
        for (_, span) in ordered {
            if let parent = span.parentSpanId, parent != span.spanId, byID[parent] != nil {
                children[parent, default: []].append(span.spanId)
            } else {
                roots.append(span.spanId)
                if span.parentSpanId != nil { orphans += 1 }
            }
        }
        self.trace = trace
        self.orphans = orphans
        duration = (ordered.map(\.span.end).max() ?? begin) - begin
        lines = []
        // Spans that enclose each other are reached from no root; they come last.
        for start in [roots, ordered.map(\.span.spanId)] {
            var open = start.reversed().map { (id: $0, depth: 0) }
            while let (id, depth) = open.popLast() {
                guard let (program, span) = byID.removeValue(forKey: id) else { continue }
                lines.append(
                    Line(program: program, span: span, depth: min(depth, Self.deepest), offset: span.start - begin)
                )
                for child in (children[id] ?? []).reversed() { open.append((child, depth + 1)) }
            }
        }
    }

    /// The first span of the trace, or of what is there of it.
    var first: StoredSpan { lines[0].span }

    /// Why it was refused: what spans say about the rule or limit that decided.
    var refusals: [(program: String, code: String, message: String)] {
        lines.compactMap { line in
            let code = line.span["madang.problem.code"] ?? line.span["madang.constraint"] ?? line.span["error.type"]
            guard let code else { return nil }
            return (line.program, code, line.span["madang.problem.message"] ?? line.span.name)
        }
    }

    /// The ids of the pushes that phones have been sent because of it, in the order of time.
    var pushes: [String] {
        var found: [String] = []
        for line in lines where line.span["messaging.system"] == "fcm" {
            if let id = line.span["messaging.message.id"], !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// Other traces that spans of it are linked to.
    var links: [UUID] {
        var found: [UUID] = []
        for link in lines.flatMap({ $0.span.links ?? [] }) {
            if let id = UUID(trace: link.traceId), !found.contains(id) { found.append(id) }
        }
        return found
    }
}
