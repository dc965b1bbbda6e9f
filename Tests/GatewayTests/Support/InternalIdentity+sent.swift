import Authentication
import Contracts
import Glibc

extension InternalIdentity {
    /// What a service takes from a header value that the gateway has sent.
    ///
    /// - Parameter start: The request line.
    init?(sent value: String, in start: String, to service: ServiceName, now: Int64 = Int64(time(nil))) {
        let parts = start.split(separator: " ").map(String.init)
        let keys = InternalKeys.development(ProgramName(service))
        guard parts.count == 3, let identity = keys.identity(value, of: parts[0], parts[1], now: now) else {
            return nil
        }
        self = identity
    }
}
