package import Postgres

/// What comments are said of: rows of a table of the service, which has an `id` and a `public_id`.
///
/// The service's own migration makes the table `comments`, as those of the estate and the community service show it: the
/// same in every service but for the column that names the subject, and its index.
package struct CommentSubject: Sendable {
    /// What the app calls such a thing, for the sentences of refusals.
    let name: String
    /// The table, as `t`.
    let table: SQL
    /// The column of `comments` that refers to it, of an alias `c`.
    let reference: SQL
    /// The same without an alias.
    let column: SQL
    /// Which rows of the table, as `t`, an account may see: of others it can neither read nor write comments.
    let isVisible: @Sendable (_ account: Int64) -> SQL

    package init(
        _ name: String,
        table: String,
        column: String,
        isVisible: @escaping @Sendable (_ account: Int64) -> SQL = { _ in "true" }
    ) {
        self.name = name
        self.table = "\(identifier: table) t"
        self.reference = "c.\(identifier: column)"
        self.column = "\(identifier: column)"
        self.isVisible = isVisible
    }

    /// A row that an account may see, by what the app calls it.
    func row(_ publicID: String, for account: Int64) -> SQL {
        "t.public_id = \(publicID) AND \(isVisible(account))"
    }
}
