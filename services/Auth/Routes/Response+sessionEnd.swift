import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

extension Response {
    /// The response with the sessions that the request has ended.
    func ending(_ revocations: [AuthAPI.Revocations.Revocation]) -> Response {
        guard !revocations.isEmpty else { return self }
        var response = self
        response.headers[.sessionEnd] = AuthAPI.Revocations.text(of: revocations)
        return response
    }
}
