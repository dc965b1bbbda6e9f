import FoundationEssentials
import ServiceKit

/// The body of a report of spans: OTLP's `ExportTraceServiceRequest`.
struct TraceReport: Codable, Sendable {
    var resourceSpans: [ResourceSpans]

    struct ResourceSpans: Codable, Sendable {
        var resource: Resource
        var scopeSpans: [ScopeSpans]
    }

    struct Resource: Codable, Sendable {
        var attributes: [StoredSpan.Attribute]
    }

    struct ScopeSpans: Codable, Sendable {
        var spans: [StoredSpan]
    }

    /// The parts of traces in it, each of one program.
    var fragments: [Fragment] {
        resourceSpans.flatMap { part in
            let program = part.resource.attributes.first { $0.key == "service.name" }?.value.stringValue ?? "unknown"
            return Dictionary(grouping: part.scopeSpans.flatMap(\.spans), by: \.traceId).compactMap { id, spans in
                UUID(trace: id).map { Fragment(trace: $0, program: program, spans: spans) }
            }
        }
    }
}

/// Spans of one trace in one program.
struct Fragment: Sendable, Equatable {
    var trace: UUID
    var program: String
    var spans: [StoredSpan]

    /// The trace's first span, if it is among these.
    var first: StoredSpan? { spans.first { $0.parentSpanId == nil } }

    /// What the trace can be found by: its own id, too.
    var subjects: Set<Subject> {
        var found: Set<Subject> = first == nil ? [] : [Subject(kind: .trace, value: trace.trace)]
        for span in spans {
            for attribute in span.attributes ?? [] {
                guard let kind = TraceSubject(rawValue: attribute.key) else { continue }
                for value in attribute.value.texts where !value.isEmpty {
                    found.insert(Subject(kind: kind, value: value))
                }
            }
        }
        return found
    }
}

struct Subject: Sendable, Hashable {
    var kind: TraceSubject
    var value: String
}

extension UUID {
    /// - Parameter trace: 32 hexadecimal digits, the id of a trace.
    init?(trace: some StringProtocol) {
        guard trace.utf8.count == 32, trace.utf8.allSatisfy(\.isHexDigit) else { return nil }
        var text = ""
        for (index, character) in trace.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(character)
        }
        self.init(uuidString: text)
    }

    /// 32 hexadecimal digits in lower case.
    var trace: String { uuidString.lowercased().filter { $0 != "-" } }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
