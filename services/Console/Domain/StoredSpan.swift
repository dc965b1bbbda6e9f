import FoundationEssentials

/// A span as programs send it: OTLP's `Span` in its JSON encoding.
struct StoredSpan: Codable, Sendable, Equatable {
    var traceId: String
    var spanId: String
    var parentSpanId: String?
    var name: String
    var kind: Int?
    var startTimeUnixNano: String
    var endTimeUnixNano: String
    var attributes: [Attribute]?
    var events: [Event]?
    var links: [Link]?
    var status: Status?

    struct Attribute: Codable, Sendable, Equatable {
        var key: String
        var value: Value
    }

    struct Value: Codable, Sendable, Equatable {
        var stringValue: String?
        var intValue: String?
        var doubleValue: Double?
        var boolValue: Bool?
        var arrayValue: List?

        struct List: Codable, Sendable, Equatable {
            var values: [Value]
        }

        /// The values of a list, or the value.
        var texts: [String] {
            if let arrayValue { return arrayValue.values.flatMap(\.texts) }
            return [stringValue ?? intValue ?? doubleValue.map { "\($0)" } ?? boolValue.map { "\($0)" } ?? ""]
        }
    }

    struct Event: Codable, Sendable, Equatable {
        var name: String
        var attributes: [Attribute]?
    }

    struct Link: Codable, Sendable, Equatable {
        var traceId: String
    }

    struct Status: Codable, Sendable, Equatable {
        var code: Int?
        var message: String?
    }

    /// Nanoseconds since 1970.
    var start: Int64 { Int64(startTimeUnixNano) ?? 0 }
    var end: Int64 { max(Int64(endTimeUnixNano) ?? 0, start) }
    var microseconds: Int64 { (end - start) / 1000 }
    var isFailed: Bool { status?.code == 2 }
    /// That of a request, event or frame that the program has received (`SPAN_KIND_SERVER`, `SPAN_KIND_CONSUMER`).
    var isReceived: Bool { kind == 2 || kind == 5 }

    subscript(_ name: String) -> String? {
        attributes?.first { $0.key == name }?.value.texts.joined(separator: ", ")
    }

    /// The values of an attribute; none without it.
    func texts(_ name: String) -> [String] {
        attributes?.first { $0.key == name }?.value.texts.filter { !$0.isEmpty } ?? []
    }

    /// The status of the HTTP response.
    var httpStatus: Int? { self["http.response.status_code"].flatMap { Int($0) } }
}
