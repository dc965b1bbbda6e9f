import Comments

extension CommentSubject {
    /// Listings, which everybody may see.
    static let listings = CommentSubject("estate", table: "listings", column: "listing_id")
}
