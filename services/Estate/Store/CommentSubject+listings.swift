import Profiles

extension CommentSubject<ListingID> {
    /// Listings, which are public.
    static var listings: Self { Self("estate", table: "listings", column: "listing_id") }
}
