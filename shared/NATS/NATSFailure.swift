/// Why a server cannot be used.
enum NATSFailure: Error, Equatable, CustomStringConvertible {
    /// It cannot be reached, or does not answer. That may pass.
    case unreachable(String)
    /// It answers that it does not serve this client, or is not the server that is meant.
    case refused(String)

    var description: String {
        switch self {
        case .unreachable(let reason), .refused(let reason): reason
        }
    }
}

/// Every host of a configuration refuses the client.
package struct NATSRefusal: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ reasons: [String]) {
        description = "no NATS server can be used: \(reasons.joined(separator: "; "))"
    }
}
