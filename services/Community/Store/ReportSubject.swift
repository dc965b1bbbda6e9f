import Contracts
import Postgres

/// Content that can be reported: a row `t` of a table with an `id`, an author and a `hidden_at`.
struct ReportSubject: Sendable {
    /// Value of `kind` in `reports`.
    let kind: Int16
    let table: SQL
    /// The column with the author's account.
    let author: SQL
    /// The condition of the row.
    let row: SQL
    /// The error when there is no such row.
    let missing: any Error

    static let posts: Int16 = 1

    /// - Parameter row: The condition of one row `t` of the table.
    init(kind: Int16, table: String, author: String = "author_id", row: SQL, missing: any Error) {
        self.kind = kind
        self.table = "\(identifier: table)"
        self.author = "t.\(identifier: author)"
        self.row = row
        self.missing = missing
    }

    /// A post by its public ID.
    static func post(_ publicID: PublicID, in app: App) -> ReportSubject {
        ReportSubject(
            kind: posts,
            table: "posts",
            row: "t.public_id = \(publicID) AND t.app = \(app)",
            missing: CommunityError.postNotFound
        )
    }
}
