import FoundationEssentials
import NIOCore

/// A packet of Socket.IO 5, inside a message of Engine.IO: a digit, the namespace if it is not `/`, the number of the
/// requested acknowledgement, and JSON.
struct SocketIOPacket: Equatable {
    enum Kind: UInt8 {
        case connect = 0x30
        case disconnect, event, ack, connectError, binaryEvent, binaryAck
    }

    var kind: Kind
    /// The namespace without the query that a client may append.
    var namespace = "/"
    /// The number of an acknowledgement.
    var id: Int?
    /// JSON.
    var payload: ByteBuffer?

    /// The maximum length of a namespace, in bytes; responses contain the namespace.
    static let namespaceLimit = 200

    /// Parses a packet from a client.
    ///
    /// - Throws: For an invalid packet, for a payload that does not match the kind, and for kinds with binary
    ///   attachments, which are not supported.
    init(_ bytes: ByteBuffer) throws(WebSocketFailure) {
        var rest = bytes
        guard let kind = rest.readInteger(as: UInt8.self).flatMap(Kind.init) else { throw Self.failure }
        guard kind != .binaryEvent, kind != .binaryAck else {
            throw WebSocketFailure(.unacceptableData, "binary data is not spoken here")
        }
        self.kind = kind
        if rest.readableBytesView.first == UInt8(ascii: "/") {
            // A comma ends the namespace even if nothing follows; some clients omit it then.
            let name = rest.readableBytesView.prefix { $0 != UInt8(ascii: ",") }
            rest.moveReaderIndex(forwardBy: min(name.count + 1, rest.readableBytes))
            guard name.count <= Self.namespaceLimit else {
                throw WebSocketFailure(.policyViolation, "the namespace is too long")
            }
            namespace = String(decoding: name.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        }
        let digits = rest.readableBytesView.prefix { (0x30...0x39).contains($0) }
        if !digits.isEmpty {
            guard let id = Int(String(decoding: digits, as: UTF8.self)) else { throw Self.failure }
            self.id = id
            rest.moveReaderIndex(forwardBy: digits.count)
        }
        payload = rest.readableBytes > 0 ? rest : nil
        guard isComplete else { throw Self.failure }
    }

    private static let failure = WebSocketFailure(.protocolError, "not a Socket.IO packet")

    // MARK: Payloads

    /// Whether the payload is valid for the kind.
    private var isComplete: Bool {
        switch kind {
        case .connect: id == nil && (payload.map { isJSON($0, [String: AnyJSON].self) } ?? true)
        case .disconnect: id == nil && payload == nil
        case .event: payload.map { isJSON($0, Event.self) } ?? false
        case .ack: id != nil && (payload.map { isJSON($0, [AnyJSON].self) } ?? false)
        // Only a server sends this kind.
        case .connectError, .binaryEvent, .binaryAck: false
        }
    }

    private func isJSON<Value: Decodable>(_ bytes: ByteBuffer, _ type: Value.Type) -> Bool {
        (try? JSONDecoder().decode(type, from: Data(bytes.readableBytesView))) != nil
    }

    private struct AnyJSON: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// An array that begins with the event's name.
    private struct Event: Decodable {
        init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            _ = try values.decode(String.self)
        }
    }
}
