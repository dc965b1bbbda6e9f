import Contracts
import Postgres
import ServiceDatabase

/// Content that can be reported: a row `t` of a table with an `id`, an `author_id` and a `hidden_at`.
struct ReportSubject: Sendable {
    let kind: Kind
    /// The condition of the row.
    let row: SQL
    /// What names it among all that transactions wait for.
    let key: String

    /// The kinds of content; the number is `kind` in `reports`.
    enum Kind: Int16, Sendable, CaseIterable, PostgresEncodable {
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

        var table: SQL {
            switch self {
            case .post: "posts"
            case .companionPost: "companion_posts"
            case .galleryItem: "gallery_items"
            }
        }

        /// The error when there is no such content.
        var missing: any Error {
            switch self {
            case .post: CommunityError.postNotFound
            case .companionPost: CompanionError.postNotFound
            case .galleryItem: GalleryError.itemNotFound
            }
        }

        init?(name: String) {
            guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
            self = kind
        }
    }

    private init(_ kind: Kind, row: SQL, id: String) {
        self.kind = kind
        self.row = row
        key = "\(kind.name) \(id)"
    }

    /// Content by the number of its row.
    init(_ kind: Kind, id: ReportedContentID) {
        self.init(kind, row: "t.id = \(id)", id: "\(id)")
    }

    init<ID: ReportableID>(_ id: ID) {
        self.init(ID.kind, id: id.reported)
    }

    /// A post by its public ID.
    static func post(_ publicID: PublicID, in app: App) -> ReportSubject {
        ReportSubject(.post, row: "t.public_id = \(publicID) AND t.app = \(app)", id: "\(publicID)")
    }
}

/// The id of content that can be reported.
protocol ReportableID: RowIdentifier {
    static var kind: ReportSubject.Kind { get }
}

extension ReportableID {
    /// The same row, as `reports` refers to it beside the kind.
    var reported: ReportedContentID { ReportedContentID(rawValue: rawValue) }
}

extension PostID: ReportableID {
    static var kind: ReportSubject.Kind { .post }
}

extension CompanionPostID: ReportableID {
    static var kind: ReportSubject.Kind { .companionPost }
}

extension GalleryItemID: ReportableID {
    static var kind: ReportSubject.Kind { .galleryItem }
}
