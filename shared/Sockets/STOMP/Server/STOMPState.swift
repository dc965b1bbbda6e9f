import FoundationEssentials
import HTTPTypes
import NIOCore

/// What another copy of the service needs to continue a connection, as JSON.
struct STOMPState<Service: STOMPService>: Codable, Sendable {
    enum Phase: Codable, Sendable {
        /// CONNECT has not come yet. It may need the handshake.
        case waiting(handshake: HTTPRequest)
        case connected(Client)
    }

    struct Client: Codable, Sendable {
        var record: Service.Record
        var version: STOMPVersion
        /// What the client has offered in CONNECT.
        var beats: STOMPBeats.Offer
        var subscriptions: [Subscription]
    }

    struct Subscription: Codable, Sendable {
        var id: String
        var destination: String
        var position: Service.Position?

        var subscription: STOMPSubscription { STOMPSubscription(id: id, destination: destination) }
    }

    var phase: Phase
    /// What has come of a frame that is not complete.
    var input: Data

    init(_ phase: Phase, input: ByteBuffer) {
        self.phase = phase
        self.input = Data(input.readableBytesView)
    }

    /// - Throws: If the state is not understood.
    init(_ bytes: ByteBuffer, _ limits: STOMPLimits) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(bytes.readableBytesView))
        guard case .connected(let client) = phase else { return }
        guard client.subscriptions.count <= limits.subscriptions,
            Set(client.subscriptions.map(\.id)).count == client.subscriptions.count
        else { throw SocketStateFault() }
    }

    /// nil if it cannot be encoded.
    var bytes: ByteBuffer? {
        (try? JSONEncoder().encode(self)).map { ByteBuffer(bytes: $0) }
    }
}
