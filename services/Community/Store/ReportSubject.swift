import Contracts
import Postgres

/// Something that may be reported: a row of a table with an `id`, an author and a `hidden_at`, as `t`.
struct ReportSubject: Sendable {
    /// The kind's number in `reports`.
    let kind: Int16
    let table: SQL
    /// The column with the author's account.
    let author: SQL
    /// Which row it is.
    let row: SQL
    /// What is thrown when there is no such row.
    let missing: any Error

    static let posts: Int16 = 1

    /// - Parameter row: the condition that one row of the table meets, as `t`.
    init(kind: Int16, table: String, author: String = "author_id", row: SQL, missing: any Error) {
        self.kind = kind
        self.table = "\(identifier: table)"
        self.author = "t.\(identifier: author)"
        self.row = row
        self.missing = missing
    }

    /// A post, by what the app calls it.
    ///
    /// - Throws: `CommunityError.postNotFound` for what no post is called.
    static func post(_ publicID: String, in app: App) throws(CommunityError) -> ReportSubject {
        guard PublicID.isOne(publicID) else { throw .postNotFound }
        return ReportSubject(
            kind: posts,
            table: "posts",
            row: "t.public_id = \(publicID) AND t.app = \(app)",
            missing: CommunityError.postNotFound
        )
    }
}
