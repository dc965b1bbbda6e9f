import Contracts
import Postgres
import ServiceDatabase

extension Room {
    /// The columns of a room, for a table or alias `r`.
    static let columns: SQL = "r.id, r.public_id, r.app, r.first_id, r.second_id"

    init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            publicID: try columns.next(),
            app: try columns.next(),
            first: try columns.next(),
            second: try columns.next()
        )
    }
}

extension Message {
    /// The columns of a message, for a table or alias `m`.
    static let columns: SQL =
        """
        m.room_id, m.sequence, m.sender_id, m.content, m.files, m.client_id, m.created_at, m.edited_at, m.deleted_at
        """

    init(_ columns: inout Columns) throws {
        self.init(
            room: try columns.next(),
            sequence: try columns.next(),
            sender: try columns.next(),
            content: try columns.next(),
            files: try columns.next(),
            clientID: try columns.next(),
            createdAt: try columns.next(),
            editedAt: try columns.next(),
            deletedAt: try columns.next()
        )
    }
}
