/// An event that one service publishes to others, delivered at least once and applied exactly once.
///
/// Events are declared here, once, and used by the publisher and its subscribers. A declared event may only gain
/// optional fields; a change of meaning requires a new event with a new name.
package protocol Event: Codable, Sendable {
    /// The name on the wire, `service.what-happened`, e.g. `auth.account-registered`.
    static var name: String { get }

    /// The ordering key, e.g. the account's id. Events with the same key reach a subscriber in the order in which they
    /// were published.
    var key: String { get }
}
