/// What a fault hits: a program, `postgres`, a provider of the sandbox, or a link of a cluster.
package struct FaultTarget: Sendable, Codable, Hashable, CustomStringConvertible {
    /// Such as `chat`, `supervisor`, `postgres`, `kakao` or `1–2`.
    package var name: String
    /// The host of a cluster; nil on one machine, and for what hosts share.
    package var host: Int?

    package init(_ name: String, host: Int? = nil) {
        (self.name, self.host) = (name, host)
    }

    package var description: String { host.map { "\(name) on host \($0)" } ?? name }
}
