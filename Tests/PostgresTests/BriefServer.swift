import Glibc
import PostgresServer

@testable import Postgres

/// A server of which an administrator ends the first session as soon as it has begun, in the same packet; later sessions are
/// those of a real one.
final class BriefServer: Sendable {
    let port: Int
    private let listener: MessageSocket

    init(before server: PostgresServer) throws {
        (listener, port) = try MessageSocket.listen()
        BlockingThread.start { [listener, directory = server.directory] in
            if let first = try? listener.accept() { try? Self.end(first) }
            while let client = try? listener.accept() {
                guard let session = try? MessageSocket.connect(toServerIn: directory) else { continue }
                let ended = Tally()
                for (here, there) in [(client, session), (session, client)] {
                    BlockingThread.start {
                        here.passOn(from: there)
                        guard ended.next() == 2 else { return }
                        client.close()
                        session.close()
                    }
                }
            }
        }
    }

    func close() {
        shutdown(listener.descriptor, Int32(SHUT_RDWR))
        listener.close()
    }

    /// The connection stays open until the client has sent a statement, as that of a server that is slow to end.
    private static func end(_ client: MessageSocket) throws {
        defer { client.close() }
        _ = try client.readBody()
        let error = MessageSocket.text("SFATAL", "VFATAL", "C57P01", "Mterminating connection") + [0]
        let isIdle = [UInt8(ascii: "I")]
        try client.write([.init("R", MessageSocket.bytes(0)), .init("Z", isIdle), .init("E", error)])
        _ = try client.readMessage()
    }
}
