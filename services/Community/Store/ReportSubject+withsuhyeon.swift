import Postgres

extension ReportSubject {
    static let companionPosts = Kind.companionPost.rawValue
    static let galleryItems = Kind.galleryItem.rawValue

    /// A companion post of With Suhyeon.
    static func companionPost(_ id: Int64) -> ReportSubject {
        ReportSubject(
            kind: companionPosts,
            table: Kind.companionPost.table,
            row: "t.id = \(id)",
            missing: CompanionError.postNotFound
        )
    }

    /// A picture of With Suhyeon's gallery.
    static func galleryItem(_ id: Int64) -> ReportSubject {
        ReportSubject(
            kind: galleryItems,
            table: Kind.galleryItem.table,
            row: "t.id = \(id)",
            missing: GalleryError.itemNotFound
        )
    }
}
