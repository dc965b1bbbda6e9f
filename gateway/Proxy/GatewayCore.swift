import AppWire
import Authentication
import Contracts
import Logging
import NIOCore

/// What all event loops of a gateway share: settings, routes, keys, and the tables of limits.
final class GatewayCore: Sendable {
    let configuration: GatewayConfiguration
    let router: Router
    let keys: PublishedKeys
    let revocations = Revocations()
    let firstUses = FirstUses()
    let refreshes: Refreshes
    let accounts: AccountBuckets
    let peers: Peers
    let headers: AnswerHeaders
    let crossOrigin: CrossOriginPolicy
    let logWriter: AccessLogWriter?
    let logger: Logger

    init(
        _ configuration: GatewayConfiguration,
        keys: PublishedKeys,
        refreshes: Refreshes,
        logWriter: AccessLogWriter?,
        logger: Logger
    ) {
        self.configuration = configuration
        self.keys = keys
        self.refreshes = refreshes
        self.logWriter = logWriter
        self.logger = logger
        router = Router(hosts: configuration.appHosts, keys: configuration.appKeys)
        accounts = AccountBuckets(configuration.rates.account, limit: configuration.connections.knownAddresses)
        peers = Peers(limits: configuration.connections, allowances: configuration.rates.ofAddress)
        headers = AnswerHeaders(strictTransport: configuration.strictTransport)
        crossOrigin = CrossOriginPolicy(origins: configuration.corsOrigins)
    }

    var limits: Limits { configuration.limits }
}
