import Contracts
import Hummingbird
import ServiceKit

extension SignedInContext {
    /// The id of a room, from a parameter of the path.
    ///
    /// - Throws: `ChatError.roomNotFound` for a text that is no id.
    func roomID(_ parameter: String) throws -> PublicID {
        try PublicID(parsing: parameters.require(parameter), else: ChatError.roomNotFound)
    }
}
