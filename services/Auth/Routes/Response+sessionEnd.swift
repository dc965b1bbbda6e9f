import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

extension Response {
    /// The response with the cause for which it has ended the caller's session.
    func ending(_ cause: AuthAPI.Revocations.Cause) -> Response {
        var response = self
        response.headers[.sessionEnd] = cause.rawValue
        return response
    }
}
