import Tracing

/// Spans in the JSON encoding of OTLP: the body of a request to `/v1/traces`, `ExportTraceServiceRequest`.
///
/// Ids are hexadecimal, 64-bit numbers are strings and enumerations numbers (OTLP 1.x, "JSON Protobuf Encoding").
package struct OTLPTraces {
    private let resource: [UInt8]

    /// - Parameter resource: Describes the process, such as `service.name`.
    package init(resource: [(name: String, value: String)]) {
        var json = JSONBytes()
        json.list(resource) { json, attribute in json.attribute(attribute.name, .string(attribute.value)) }
        self.resource = json.bytes
    }

    package func json(_ spans: [any ExportableSpan]) -> [UInt8] {
        var json = JSONBytes(capacity: 1024 + spans.count * 768)
        json.raw(#"{"resourceSpans":[{"resource":{"attributes":"#)
        json.raw(resource)
        json.raw(#"},"scopeSpans":[{"scope":{"name":"madang"},"spans":"#)
        json.list(spans) { json, span in json.span(span) }
        json.raw("}]}]}")
        return json.bytes
    }
}

extension JSONBytes {
    /// The maximum size of a text, in bytes; longer ones are cut.
    private static let longestText = 4096

    fileprivate mutating func span(_ exported: any ExportableSpan) {
        let span = exported.head
        raw("{")
        ids(span.context)
        if let parent = span.parent {
            raw(#","parentSpanId":""#)
            hex(parent.value)
            raw("\"")
        }
        raw(#","flags":"#)
        number(span.context.sampled ? 1 : 0)
        raw(#","name":"#)
        string(span.name, limit: Self.longestText)
        raw(#","kind":"#)
        number(span.kind.number)
        raw(#","startTimeUnixNano":""#)
        number(span.start)
        raw(#"","endTimeUnixNano":""#)
        number(span.end)
        raw("\"")
        attributes(exported.forEachAttribute)
        if !span.events.isEmpty {
            raw(#","events":"#)
            list(span.events) { json, event in json.event(event) }
        }
        if !span.links.isEmpty {
            raw(#","links":"#)
            list(span.links) { json, link in
                json.raw("{")
                json.ids(link.context)
                json.attributes(link.attributes.forEach)
                json.raw("}")
            }
        }
        if let status = span.status {
            raw(#","status":{"code":"#)
            number(status.code == .ok ? 1 : 2)
            if let message = status.message {
                raw(#","message":"#)
                string(message, limit: Self.longestText)
            }
            raw("}")
        }
        raw("}")
    }

    private mutating func ids(_ context: TraceContext) {
        raw(#""traceId":""#)
        hex(context.traceID.high)
        hex(context.traceID.low)
        raw(#"","spanId":""#)
        hex(context.spanID.value)
        raw("\"")
    }

    private mutating func event(_ event: SpanEvent) {
        raw(#"{"timeUnixNano":""#)
        number(event.nanosecondsSinceEpoch)
        raw(#"","name":"#)
        string(event.name, limit: Self.longestText)
        attributes(event.attributes.forEach)
        raw("}")
    }

    // MARK: Attributes

    /// - Parameter each: Calls its argument for each attribute.
    private mutating func attributes(_ each: ((String, SpanAttribute) -> Void) -> Void) {
        var isFirst = true
        each { name, value in
            isFirst ? raw(#","attributes":["#) : raw(",")
            isFirst = false
            attribute(name, value)
        }
        if !isFirst { raw("]") }
    }

    fileprivate mutating func attribute(_ name: String, _ value: SpanAttribute) {
        raw(#"{"key":"#)
        string(name)
        raw(#","value":"#)
        self.value(value)
        raw("}")
    }

    private mutating func value(_ attribute: SpanAttribute) {
        switch attribute {
        case .string(let value): text(value)
        case .stringConvertible(let value): text("\(value)")
        case .bool(let value): flag(value)
        case .int32(let value): integer(Int64(value))
        case .int64(let value): integer(value)
        case .double(let value): double(value)
        case .stringArray(let values): array(values) { $0.text($1) }
        case .stringConvertibleArray(let values): array(values) { $0.text("\($1)") }
        case .boolArray(let values): array(values) { $0.flag($1) }
        case .int32Array(let values): array(values) { $0.integer(Int64($1)) }
        case .int64Array(let values): array(values) { $0.integer($1) }
        case .doubleArray(let values): array(values) { $0.double($1) }
        case .__DO_NOT_SWITCH_EXHAUSTIVELY_OVER_THIS_ENUM_USE_DEFAULT_INSTEAD: raw("{}")
        }
    }

    private mutating func text(_ value: String) {
        raw(#"{"stringValue":"#)
        string(value, limit: Self.longestText)
        raw("}")
    }

    private mutating func flag(_ value: Bool) {
        value ? raw(#"{"boolValue":true}"#) : raw(#"{"boolValue":false}"#)
    }

    private mutating func integer(_ value: Int64) {
        raw(#"{"intValue":""#)
        number(value)
        raw(#""}"#)
    }

    private mutating func double(_ value: Double) {
        guard value.isFinite else { return text("\(value)") }
        raw(#"{"doubleValue":"#)
        raw(Array("\(value)".utf8))
        raw("}")
    }

    private mutating func array<Element>(_ values: [Element], _ write: (inout JSONBytes, Element) -> Void) {
        raw(#"{"arrayValue":{"values":"#)
        list(values, write)
        raw("}}")
    }
}
