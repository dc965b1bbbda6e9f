import Profiles

extension CommentSubject {
    /// Listings, which are public.
    static let listings = CommentSubject("estate", table: "listings", column: "listing_id")
}
