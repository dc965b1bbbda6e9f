import Tracing
import Values

/// Spans in the JSON encoding of OTLP: the body of a request to `/v1/traces`, `ExportTraceServiceRequest`.
///
/// Ids are hexadecimal, 64-bit numbers are strings and enumerations numbers (OTLP 1.x, "JSON Protobuf Encoding").
package struct OTLPTraces {
    /// The maximum size of a text, in bytes; longer ones are cut.
    private static let longestText = 4096

    private let resource: String

    /// - Parameter resource: Describes the process, such as `service.name`.
    package init(resource: [(name: String, value: String)]) {
        self.resource = resource.map { Self.attribute($0.name, Self.text($0.value)) }.joined(separator: ",")
    }

    package func json(_ spans: [FinishedSpan]) -> String {
        var json = #"{"resourceSpans":[{"resource":{"attributes":["#
        json += resource
        json += #"]},"scopeSpans":[{"scope":{"name":"madang"},"spans":["#
        for (index, span) in spans.enumerated() {
            if index > 0 { json += "," }
            Self.write(span, to: &json)
        }
        return json + "]}]}]}"
    }

    private static func write(_ span: FinishedSpan, to json: inout String) {
        json += #"{"traceId":"\#(span.context.traceID)","spanId":"\#(span.context.spanID)""#
        if let parent = span.parent { json += #","parentSpanId":"\#(parent)""# }
        json += #","flags":\#(span.context.sampled ? 1 : 0),"name":\#(JSONText.string(cut(span.name)))"#
        json += #","kind":\#(span.kind.number),"startTimeUnixNano":"\#(span.start)","endTimeUnixNano":"\#(span.end)""#
        if !span.attributes.isEmpty { json += #","attributes":\#(attributes(span.attributes))"# }
        if !span.events.isEmpty { json += #","events":[\#(span.events.map(event).joined(separator: ","))]"# }
        if !span.links.isEmpty { json += #","links":[\#(span.links.map(link).joined(separator: ","))]"# }
        if let status = span.status { json += #","status":\#(self.status(status))"# }
        json += "}"
    }

    private static func event(_ event: SpanEvent) -> String {
        #"{"timeUnixNano":"\#(event.nanosecondsSinceEpoch)","name":\#(JSONText.string(cut(event.name)))"#
            + #","attributes":\#(attributes(event.attributes))}"#
    }

    private static func link(_ link: FinishedSpan.Link) -> String {
        #"{"traceId":"\#(link.context.traceID)","spanId":"\#(link.context.spanID)""#
            + #","attributes":\#(attributes(link.attributes))}"#
    }

    private static func status(_ status: SpanStatus) -> String {
        let message = status.message.map { #","message":\#(JSONText.string(cut($0)))"# } ?? ""
        return #"{"code":\#(status.code == .ok ? 1 : 2)\#(message)}"#
    }

    // MARK: Attributes

    private static func attributes(_ attributes: SpanAttributes) -> String {
        var all: [String] = []
        attributes.forEach { name, value in
            if let value = self.value(value) { all.append(attribute(name, value)) }
        }
        return "[\(all.joined(separator: ","))]"
    }

    private static func attribute(_ name: String, _ value: String) -> String {
        #"{"key":\#(JSONText.string(name)),"value":\#(value)}"#
    }

    private static func value(_ attribute: SpanAttribute) -> String? {
        switch attribute {
        case .string(let value): text(value)
        case .stringConvertible(let value): text("\(value)")
        case .bool(let value): #"{"boolValue":\#(value)}"#
        case .int32(let value): integer(Int(value))
        case .int64(let value): integer(Int(value))
        case .double(let value): number(value)
        case .stringArray(let values): list(values.map(text))
        case .stringConvertibleArray(let values): list(values.map { text("\($0)") })
        case .boolArray(let values): list(values.map { #"{"boolValue":\#($0)}"# })
        case .int32Array(let values): list(values.map { integer(Int($0)) })
        case .int64Array(let values): list(values.map { integer(Int($0)) })
        case .doubleArray(let values): list(values.map(number))
        case .__DO_NOT_SWITCH_EXHAUSTIVELY_OVER_THIS_ENUM_USE_DEFAULT_INSTEAD: nil
        }
    }

    private static func text(_ value: String) -> String { #"{"stringValue":\#(JSONText.string(cut(value)))}"# }

    private static func integer(_ value: Int) -> String { #"{"intValue":"\#(value)"}"# }

    private static func number(_ value: Double) -> String {
        value.isFinite ? #"{"doubleValue":\#(value)}"# : text("\(value)")
    }

    private static func list(_ values: [String]) -> String {
        #"{"arrayValue":{"values":[\#(values.joined(separator: ","))]}}"#
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        return String(decoding: text.utf8.prefix(longestText), as: UTF8.self)
    }
}
