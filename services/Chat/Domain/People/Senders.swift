import People

extension People {
    /// Tells who wrote what in a room, also of who has left.
    func senders(of room: Room) async throws -> @Sendable (Int64) -> Person {
        let people = try await known(room.accounts)
        return { account in people[account] ?? Person(account: account, app: room.app, publicID: "", nickname: "") }
    }
}
