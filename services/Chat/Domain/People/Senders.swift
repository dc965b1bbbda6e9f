import Contracts
import Profiles

extension People {
    /// A lookup of the senders in a room, including withdrawn users. An unknown account has an empty id and no name.
    func senders(of room: Room) async throws -> @Sendable (AccountID) -> Person {
        let people = try await known(room.accounts)
        return { account in
            people[account]
                ?? Person(account: account, app: room.app, publicID: PublicID(unchecked: ""), nickname: "")
        }
    }
}
