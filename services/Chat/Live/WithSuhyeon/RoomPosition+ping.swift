import Contracts
import NIOCore

/// The payload of pings: 16 bytes, the room and the number of an event.
extension RoomPosition {
    var pingPayload: ByteBuffer {
        var payload = ByteBuffer()
        payload.writeMultipleIntegers(room.rawValue, sequence)
        return payload
    }

    /// - Parameter payload: Of a pong; nil if it answers another ping, or none.
    init?(pingPayload payload: ByteBuffer) {
        var payload = payload
        guard payload.readableBytes == 16,
            let (room, sequence) = payload.readMultipleIntegers(as: (Int64, Int64).self)
        else { return nil }
        self.init(room: RoomID(rawValue: room), sequence: sequence)
    }
}
