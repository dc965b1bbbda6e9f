import Contracts
import TestKit
import Testing

@testable import Chat

/// Which sockets a notification reaches.
@Suite struct SocketIndexTests {
    private final class Socket {}

    @Test func endedSession_reachesItsOwnSocketsOnly() {
        var index = SocketIndex<Socket>()
        let sockets = (0..<1_000).map { number in
            let account = AccountID(rawValue: Int64(number / 4))
            let socket = Socket()
            index.insert(socket, of: AuthAPI.Ticket(account: account, session: "session \(number / 2)"))
            return socket
        }
        #expect(index.all.count == 1_000)
        #expect(
            index.sockets(ofSession: "session 7").map(ObjectIdentifier.init)
                == sockets[14...15].map(ObjectIdentifier.init)
        )
        #expect(index.sockets(of: 3).map(ObjectIdentifier.init) == sockets[12...15].map(ObjectIdentifier.init))
        #expect(index.sockets(ofSession: "session of another app").isEmpty)
        index.remove(sockets[14], of: AuthAPI.Ticket(account: 3, session: "session 7"))
        #expect(index.sockets(ofSession: "session 7").map(ObjectIdentifier.init) == [ObjectIdentifier(sockets[15])])
        #expect(index.sockets(of: 3).count == 3)
        index.remove(sockets[15], of: AuthAPI.Ticket(account: 3, session: "session 7"))
        #expect(index.sockets(ofSession: "session 7").isEmpty)
        #expect(index.all.count == 998)
    }
}
