import Contracts
import FoundationEssentials
import HummingbirdTesting
import NIOCore
import Sockets
import TestKit

@testable import Chat

/// A client on the stream that does not read until the test asks for events.
struct SlowStreamSubscriber: Sendable {
    private let connection: RawConnection

    static func listen(_ world: ChatWorld, _ account: AccountID, to room: String, after: Int?) async throws
        -> SlowStreamSubscriber
    {
        let connection = try await RawConnection.connect(to: world.client.port ?? 0, isReading: false)
        let identity = StreamSubscriber.identity(account, of: world.app)
        try await connection.send(
            """
            GET \(StreamSubscriber.path(of: world.app)) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
            \(identity.0): \(identity.1)\r\n\r\n
            """
        )
        try await connection.send(masked("CONNECT\naccept-version:1.2\n\n\0"))
        let header = after.map { "after:\($0)\n" } ?? ""
        try await connection.send(masked("SUBSCRIBE\nid:1\ndestination:/topic/rooms.\(room)\n\(header)\n\0"))
        while try await world.presences(of: account) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        return SlowStreamSubscriber(connection: connection)
    }

    /// Reads until a count of events has arrived.
    ///
    /// - Returns: the numbers of the events.
    func events(_ count: Int) async throws -> [Int64] {
        try await connection.startReading()
        var numbers: [Int64] = []
        let (mark, length) = (Array("\nmessage-id:".utf8), 12)
        var seen = 0
        while numbers.count < count {
            let found = await connection.read { bytes -> Int64? in
                let view = bytes.readableBytesView
                guard view.count >= max(seen, length) else { return nil }
                guard let range = view.firstRange(of: mark), let end = view[range.upperBound...].firstIndex(of: 10)
                else {
                    bytes.moveReaderIndex(forwardBy: view.count - length)
                    seen = length
                    return nil
                }
                let number = Int64(String(decoding: view[range.upperBound..<end], as: UTF8.self))
                bytes.moveReaderIndex(to: end)
                return number
            }
            guard let found else { break }
            // Only stored events have a number.
            if found > 0 { numbers.append(found) }
        }
        return numbers
    }

    func close() async { await connection.close() }

    /// A short text message under a mask of zeros.
    private static func masked(_ text: String) -> ByteBuffer {
        ByteBuffer(bytes: [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
    }
}
