package import Authentication
package import Contracts
package import FoundationEssentials

extension InternalIdentity {
    /// The header's value for a request to a service in development, signed now.
    package func signed(_ method: String, _ path: String, to service: ServiceName, now: Date = .now) -> String {
        let key = InternalKeys.development(caller).key(to: service)
        return signed(method, path, with: key, now: Int64(now.timeIntervalSince1970))
    }
}
