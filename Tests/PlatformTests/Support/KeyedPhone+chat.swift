@testable import Stack
@testable import StackKit

extension KeyedPhone {
    /// The app's socket, with the namespace of a room asked for.
    func chat(_ room: String) async throws -> TextSocket {
        try await TextSocket.chat(
            platform.gateway,
            room: room,
            headers: [("SeSACKey", key), ("Authorization", token)]
        )
    }
}
