import HTTPTypes
package import Hummingbird

extension Request {
    /// The client's key for this request, which identifies a repeated request.
    package var idempotencyKey: String? {
        HTTPField.Name("Idempotency-Key").flatMap { headers[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
