import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

extension Response {
    /// The response with the session that the request has ended.
    func ending(_ revocation: AuthAPI.Revocations.Revocation) -> Response {
        var response = self
        response.headers[.sessionEnd] = revocation.text
        return response
    }
}
