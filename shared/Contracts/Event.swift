/// A fact that one service announces to others, at least once on the wire and once in effect.
///
/// Events are declared here once, by the service that publishes them, and imported by those that subscribe. A declared
/// event only ever grows by optional fields; a change of meaning is a new event with a new name.
package protocol Event: Codable, Sendable {
    /// The name on the wire, `service.what-happened`, e.g. `auth.account-registered`.
    static var name: String { get }

    /// Events with the same key reach a subscriber in the order in which they were published (e.g. the account's id).
    var key: String { get }
}
