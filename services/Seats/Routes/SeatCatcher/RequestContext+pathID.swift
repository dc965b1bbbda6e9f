import Apps
import Hummingbird
import ServiceKit

extension RequestContext {
    /// An id in the path.
    ///
    /// - Throws: `Problem` (`badParameter`) for anything other than a whole number above 0.
    func pathID(_ name: String) throws -> Int64 {
        guard let id = id(name) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number above 0.")
        }
        return id
    }
}
