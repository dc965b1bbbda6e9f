import HTTPTypes
package import Hummingbird

extension Request {
    /// What the phone calls this request, to tell a repeated one from a new one.
    package var idempotencyKey: String? {
        HTTPField.Name("Idempotency-Key").flatMap { headers[$0] }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
