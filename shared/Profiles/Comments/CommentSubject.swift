package import Contracts
package import Postgres
package import ServiceDatabase

/// A kind of subject of comments: a table of the service with the columns `id` and `public_id`.
///
/// The service's own migration creates the table `comments`, as in the estate and community services. It is the same in
/// every service except for the column that references the subject, and its index.
package struct CommentSubject<ID: RowIdentifier>: Sendable {
    /// The app's name for the subject, used in error messages.
    let name: String
    /// The table, as `t`.
    let table: SQL
    /// The column of `comments` that references the subject, with the alias `c`.
    let reference: SQL
    /// The same column without an alias.
    let column: SQL
    /// The condition on rows of the table, as `t`, that are visible to an account. Comments on other rows can neither
    /// be read nor written.
    let isVisible: @Sendable (_ account: AccountID) -> SQL

    package init(
        _ name: String,
        table: String,
        column: String,
        isVisible: @escaping @Sendable (_ account: AccountID) -> SQL = { _ in "true" }
    ) {
        self.name = name
        self.table = "\(identifier: table) t"
        self.reference = "c.\(identifier: column)"
        self.column = "\(identifier: column)"
        self.isVisible = isVisible
    }

    /// The condition for the visible row with a public id.
    func row(_ publicID: PublicID, for account: AccountID) -> SQL {
        "t.public_id = \(publicID) AND \(isVisible(account))"
    }
}
