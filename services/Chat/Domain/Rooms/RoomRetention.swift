import Contracts
import FoundationEssentials
import Postgres

/// Deletes unused rooms: those without a message, and those whose members have both withdrawn. All
/// others stay with their messages, which belong to their members.
struct RoomRetention: Sendable {
    let database: PostgresClient
    let attachments: Attachments
    let withdrawal: Withdrawal
    let now: @Sendable () -> Date
    private let store = RoomStore()

    /// How long a room without events is kept, in seconds.
    static let emptyRooms: TimeInterval = 90 * 86_400
    /// Rooms per query, and messages per transaction.
    var batch = 1_000

    func prune() async throws {
        let limit = now() - Self.emptyRooms
        var last = RoomID.noRoom
        while true {
            let page = try await store.page(after: last, limit: batch, emptyBefore: limit, in: database)
            for room in page where room.isObsolete { try await delete(room.id, emptyBefore: limit) }
            guard let end = page.last, page.count == batch else { return }
            last = end.id
        }
    }

    /// The messages go first, in batches: a room may have any number of them.
    private func delete(_ room: RoomID, emptyBefore limit: Date) async throws {
        for table in ["messages", "changes"] {
            try await store.deleteAll(from: table, of: room, inBatchesOf: batch, in: database)
        }
        try await database.transaction { transaction in
            guard let (room, isEmpty) = try await store.lockObsolete(room, emptyBefore: limit, in: transaction) else {
                return
            }
            try await withdrawal.end([room], transaction)
            guard !isEmpty else { return }
            for account in room.accounts {
                try await attachments.letGoOfAll(of: account, keepingSent: true, transaction)
            }
        }
    }
}
