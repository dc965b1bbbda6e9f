import HTTPTypes
import Hummingbird
import ServiceHost

extension Response {
    /// Says in `X-Session-Id` which session the tokens in the body belong to. The apps' bodies have no place for it.
    consuming func naming(session: String) -> Response {
        var response = self
        response.headers[.sessionID] = session
        return response
    }
}

extension HTTPField.Name {
    static let sessionID = HTTPField.Name("X-Session-Id")!
}
