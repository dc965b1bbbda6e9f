package import NIOCore

package struct STOMPFrame: Sendable, Equatable {
    package var command: String
    package var headers: STOMPHeaders
    package var body: ByteBuffer

    package init(_ command: String, _ headers: [(String, String)] = [], body: ByteBuffer = ByteBuffer()) {
        self.command = command
        self.headers = STOMPHeaders(headers)
        self.body = body
    }
}

/// The unescaped headers of a frame, in order. The first of repeated headers applies (STOMP 1.2, "Repeated Header
/// Entries").
package struct STOMPHeaders: Sendable, Equatable {
    private(set) var entries: [Entry] = []

    struct Entry: Equatable {
        var name: String
        var value: String
    }

    package init(_ entries: [(String, String)] = []) {
        self.entries = entries.map { Entry(name: $0.0, value: $0.1) }
    }

    /// The value of a header; nil if it is absent.
    package subscript(name: String) -> String? {
        entries.first { $0.name == name }?.value
    }

    var count: Int { entries.count }

    mutating func append(_ name: String, _ value: String) {
        entries.append(Entry(name: name, value: value))
    }
}

/// The supported versions of STOMP and their differences.
package enum STOMPVersion: String, Sendable, Codable, CaseIterable {
    case v10 = "1.0"
    case v11 = "1.1"
    case v12 = "1.2"

    /// Whether headers are escaped; version 1.0 has no escapes.
    var escapes: Bool { self != .v10 }

    /// The highest version that a client accepts.
    ///
    /// - Parameter text: The client's `accept-version`; nil, as in version 1.0, means 1.0.
    init?(accepted text: String?) {
        let offered = (text ?? Self.v10.rawValue).split(separator: ",").map { part in
            part.drop { $0 == " " }.prefix { $0 != " " }
        }
        guard let best = Self.allCases.last(where: { offered.contains($0.rawValue[...]) }) else { return nil }
        self = best
    }
}
