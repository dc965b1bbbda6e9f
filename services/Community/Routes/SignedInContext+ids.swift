import Contracts
import Hummingbird
import ServiceKit

extension SignedInContext {
    /// The id of a post, from the path.
    ///
    /// - Throws: `CommunityError.postNotFound` for a text that is no id.
    func postID() throws -> PublicID {
        try PublicID(parsing: parameters.require("postId"), else: CommunityError.postNotFound)
    }

    /// The id of an event of the calendar, from the path.
    ///
    /// - Throws: `CommunityError.eventNotFound` for a text that is no id.
    func eventID() throws -> PublicID {
        try PublicID(parsing: parameters.require("eventId"), else: CommunityError.eventNotFound)
    }
}
