import AppWire
import FoundationEssentials

/// One step of a room's history as With Suhyeon's people read it, from their side.
struct SideEventBody: Encodable {
    struct MessageBody: Encodable {
        var messageId: String
        /// `SEND` for what the viewer wrote, `RECEIVE` for what the other did.
        var sender: String
        /// Empty once it was taken back.
        var content: String
        /// In UTC without saying so (With Suhyeon contract 1.1, D-LOCAL-OUT).
        var timestamp: String
        /// What the sender's phone calls it; left out where it has no name, and for the other's.
        var clientId: String?
    }

    var sequence: Int64
    /// `sent`, `edited` or `deleted`.
    var type: String
    var at: String
    /// As it is now.
    var message: MessageBody

    init(_ event: RoomEvent, in room: Room, for viewer: Int64) {
        let isOwn = event.message.sender == viewer
        sequence = event.sequence
        type = event.kind.rawValue
        at = Self.local(event.at)
        message = MessageBody(
            messageId: MessageID.text(event.message.sequence, in: room.publicID),
            sender: isOwn ? "SEND" : "RECEIVE",
            content: event.message.content,
            timestamp: Self.local(event.message.createdAt),
            clientId: isOwn ? event.message.clientID : nil
        )
    }

    private static func local(_ instant: Date) -> String { String(SeSACInstant(instant).text.dropLast()) }
}
