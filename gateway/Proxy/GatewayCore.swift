import Apps
import Authentication
import Contracts
import Logging
import NIOCore

/// The state that all event loops of a gateway share: configuration, routes, keys and rate limits.
final class GatewayCore: Sendable {
    let configuration: GatewayConfiguration
    let router: Router
    let keys: PublishedKeys
    let revocations: Revocations
    let firstUses = TokenUsageReporter()
    let refreshes: RefreshCoordinator
    let accounts: AccountBuckets
    let clientLimits: ClientLimits
    let headers: SecurityHeaders
    let crossOrigin: CrossOriginPolicy
    let logWriter: AccessLogWriter?
    /// nil if spans are not exported.
    let spans: RequestSpans?
    let logger: Logger

    init(
        _ configuration: GatewayConfiguration,
        keys: PublishedKeys,
        revocations: Revocations,
        refreshes: RefreshCoordinator,
        logWriter: AccessLogWriter?,
        logger: Logger
    ) {
        self.configuration = configuration
        self.keys = keys
        self.revocations = revocations
        self.refreshes = refreshes
        self.logWriter = logWriter
        spans = configuration.recorder.map { RequestSpans($0) }
        self.logger = logger
        router = Router(hosts: configuration.appHosts, keys: configuration.appKeys)
        accounts = AccountBuckets(configuration.rates.account, limit: configuration.connections.knownAddresses)
        clientLimits = ClientLimits(limits: configuration.connections, allowances: configuration.rates.ofAddress)
        headers = SecurityHeaders(strictTransport: configuration.strictTransport)
        crossOrigin = CrossOriginPolicy(origins: configuration.corsOrigins)
    }

    var limits: Limits { configuration.limits }
}
