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

    static let posts = Kind.post.rawValue

    /// The kinds of content; the number is `kind` in `reports`.
    enum Kind: Int16, Sendable, CaseIterable {
        case post = 1
        case companionPost = 2
        case galleryItem = 3

        /// The name in operators' commands.
        var name: String {
            switch self {
            case .post: "post"
            case .companionPost: "companion-post"
            case .galleryItem: "gallery-item"
            }
        }

        var table: String {
            switch self {
            case .post: "posts"
            case .companionPost: "companion_posts"
            case .galleryItem: "gallery_items"
            }
        }

        init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }
    }

    /// Content by the number of its row.
    init(_ kind: Kind, id: Int64) {
        self.init(
            kind: kind.rawValue,
            table: kind.table,
            row: "t.id = \(id)",
            missing: CommunityError.postNotFound
        )
    }

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
            table: Kind.post.table,
            row: "t.public_id = \(publicID) AND t.app = \(app)",
            missing: CommunityError.postNotFound
        )
    }
}
