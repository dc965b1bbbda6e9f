@testable import Stack
@testable import StackKit

extension KeyedPhone {
    /// The client's socket, with a request for the namespace of a room.
    func chat(_ room: String) async throws -> TextSocket {
        try await TextSocket.chat(
            platform.gateway,
            room: room,
            headers: [("SeSACKey", key), ("Authorization", token)]
        )
    }
}
