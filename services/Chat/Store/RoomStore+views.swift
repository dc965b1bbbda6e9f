import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase

extension RoomStore {
    private static let views: SQL =
        """
        SELECT \(Room.columns), r.post_id, r.post_title, r.post_region, r.post_price, r.created_at, r.updated_at,
            r.last_sequence, me.copy_id, other.copy_id, me.read_through, other.read_through, unread.count,
            own.account_id, own.app, own.public_id, own.nickname, own.image, own.introduction, own.region,
            \(PersonStore.columns), m.sequence IS NOT NULL, coalesce(m.room_id, 0), coalesce(m.sequence, 0),
            coalesce(m.sender_id, 0), left(coalesce(m.content, ''), \(RoomView.previewLimit)::int),
            coalesce(m.files, '{}'), m.client_id, coalesce(m.created_at, r.created_at), m.edited_at, m.deleted_at
        FROM members me
            JOIN rooms r ON r.id = me.room_id
            JOIN members other ON other.room_id = me.room_id AND other.account_id <> me.account_id
            JOIN people own ON own.account_id = me.account_id
            JOIN people p ON p.account_id = other.account_id
            LEFT JOIN LATERAL (
                SELECT * FROM messages m WHERE m.room_id = r.id AND m.deleted_at IS NULL
                    AND m.sequence > me.cleared_through
                ORDER BY m.sequence DESC LIMIT 1
            ) m ON true
            CROSS JOIN LATERAL (
                SELECT count(*) FROM (
                    SELECT FROM messages u WHERE u.room_id = r.id AND u.sequence > me.read_through
                        AND u.sender_id <> me.account_id AND u.deleted_at IS NULL
                    LIMIT \(RoomView.unreadLimit)) u
            ) unread
        """

    /// The rooms in an account's list, the one with the newest message first.
    func views(of account: AccountID, limit: Int, in database: some Querying) async throws -> [RoomView] {
        try await database.all(
            """
            \(Self.views) WHERE me.account_id = \(account) AND (me.is_open OR r.last_message > me.cleared_through)
            ORDER BY r.updated_at DESC, r.id DESC LIMIT \(limit)
            """
        ) { try $0.decode { try RoomView(&$0) } }
    }

    /// One room from the view of one member.
    func view(_ room: RoomID, for account: AccountID, in database: some Querying) async throws -> RoomView? {
        try await database.optional("\(Self.views) WHERE me.account_id = \(account) AND me.room_id = \(room)") {
            try $0.decode { try RoomView(&$0) }
        }
    }
}

extension RoomView {
    fileprivate init(_ columns: inout Columns) throws {
        let room = try Room(&columns)
        let post = try RoomPost?(&columns)
        let (createdAt, updatedAt) = (try columns.next(Date.self), try columns.next(Date.self))
        let lastSequence = try columns.next(Int64.self)
        let (ownCopy, peerCopy) = (try columns.next(PublicID.self), try columns.next(PublicID.self))
        let (readThrough, peerReadThrough) = (try columns.next(Int64.self), try columns.next(Int64.self))
        let unreadCount = try columns.next(Int.self)
        let (own, peer) = (try Person(&columns), try Person(&columns))
        let hasMessage = try columns.next(Bool.self)
        let message = try Message(&columns)
        self.init(
            room: room,
            post: post,
            createdAt: createdAt,
            updatedAt: updatedAt,
            lastSequence: lastSequence,
            ownCopy: ownCopy,
            peerCopy: peerCopy,
            own: own,
            peer: peer,
            readThrough: readThrough,
            peerReadThrough: peerReadThrough,
            unreadCount: unreadCount,
            lastMessage: hasMessage ? message : nil
        )
    }
}

extension RoomPost? {
    fileprivate init(_ columns: inout Columns) throws {
        let id = try columns.next(CompanionPostID.self)
        let title = try columns.next(String?.self)
        let region = try columns.next(String?.self)
        let price = try columns.next(Int?.self)
        self = title.map { RoomPost(id: id, title: $0, region: region ?? "", price: price ?? 0) }
    }
}
