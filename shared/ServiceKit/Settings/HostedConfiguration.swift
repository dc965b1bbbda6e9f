/// The configuration of a service.
package protocol HostedConfiguration: Sendable {
    var host: HostConfiguration { get set }
}
