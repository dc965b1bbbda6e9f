import Contracts
import Postgres
import ServiceDatabase

/// A post of Anlaka or Seoul Culture, by its row; the apps know it by its public id. Liked events, which Seoul Culture
/// shows as posts, are numbered with the posts.
struct PostID: RowIdentifier {
    let rawValue: Int64
}

/// A picture of With Suhyeon's gallery.
struct GalleryItemID: RowIdentifier {
    let rawValue: Int64
}
