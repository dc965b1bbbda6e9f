import Postgres

extension ReportSubject {
    static let companionPosts: Int16 = 2
    static let galleryItems: Int16 = 3

    /// A companion post of With Suhyeon.
    static func companionPost(_ id: Int64) -> ReportSubject {
        ReportSubject(
            kind: companionPosts,
            table: "companion_posts",
            row: "t.id = \(id)",
            missing: CompanionError.postNotFound
        )
    }

    /// A picture of With Suhyeon's gallery.
    static func galleryItem(_ id: Int64) -> ReportSubject {
        ReportSubject(
            kind: galleryItems,
            table: "gallery_items",
            row: "t.id = \(id)",
            missing: GalleryError.itemNotFound
        )
    }
}
