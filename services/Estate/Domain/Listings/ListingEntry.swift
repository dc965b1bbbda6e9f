import Contracts
import NIOCore
import Values

/// A listing in a list, from the view of one user.
struct ListingEntry: Sendable, Equatable {
    var publicID: PublicID
    /// What all viewers see alike: a JSON object without its last brace (Anlaka contract 1.7, EstateSummary). It is written
    /// once, with the listing, because a list has up to thousands.
    var text: ByteBuffer
    var position: Position
    var likeCount: Int
}
