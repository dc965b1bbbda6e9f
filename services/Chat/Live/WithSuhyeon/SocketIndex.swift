import Contracts

/// Sockets by account and by session, so that a notification reaches those that it concerns without a search.
struct SocketIndex<Socket: AnyObject> {
    private var ofAccount: [AccountID: [Socket]] = [:]
    private var ofSession: [String: [Socket]] = [:]

    mutating func insert(_ socket: Socket, of holder: AuthAPI.Ticket) {
        ofAccount[holder.account, default: []].append(socket)
        ofSession[holder.session, default: []].append(socket)
    }

    mutating func remove(_ socket: Socket, of holder: AuthAPI.Ticket) {
        Self.remove(socket, under: holder.account, &ofAccount)
        Self.remove(socket, under: holder.session, &ofSession)
    }

    func sockets(of account: AccountID) -> [Socket] { ofAccount[account] ?? [] }

    func sockets(ofSession session: String) -> [Socket] { ofSession[session] ?? [] }

    var all: [Socket] { ofAccount.values.flatMap { $0 } }

    private static func remove<Key>(_ socket: Socket, under key: Key, _ sockets: inout [Key: [Socket]]) {
        sockets[key]?.removeAll { $0 === socket }
        if sockets[key]?.isEmpty == true { sockets[key] = nil }
    }
}
