package import AsyncHTTPClient

extension HTTPClient {
    /// The shared client for what is not Madang's: it sends no trace ids, and records no addresses, in which there may be
    /// keys.
    package static let untraced: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.tracing.tracer = nil
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
}
