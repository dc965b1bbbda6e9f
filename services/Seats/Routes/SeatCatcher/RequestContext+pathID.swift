import Apps
import Contracts
import Hummingbird
import ServiceKit

extension RequestContext {
    /// An id in the path.
    ///
    /// - Throws: `Problem` (`badParameter`) for anything other than a whole number above 0.
    func pathID<ID: Identifier>(_ name: String) throws -> ID {
        guard let id: ID = id(name) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number above 0.")
        }
        return id
    }
}
