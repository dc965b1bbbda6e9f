import Hummingbird
import ServiceKit

extension Response {
    /// Adds the id of the session that the tokens in the body belong to.
    consuming func naming(session: String) -> Response {
        var response = self
        response.headers[.sessionID] = session
        return response
    }
}
