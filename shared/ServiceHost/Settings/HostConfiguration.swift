package import Authentication
package import Logging

/// What every process is told: where it listens, whom it trusts, how much it takes.
package struct HostConfiguration: Sendable {
    package var environment: DeploymentEnvironment = .development
    /// `HOST`: the address to bind; loopback unless told otherwise.
    package var host = "127.0.0.1"
    /// `PORT`; 0 lets the system choose.
    package var port: Int
    /// `MADANG_INTERNAL_SECRET`: signs and checks internal identities.
    package var internalSecret: InternalSecret = .development
    /// `LOG_LEVEL`.
    package var logLevel: Logger.Level = .info
    /// `REQUEST_DEADLINE`: seconds after which a request is given up.
    package var requestDeadline: Duration = .seconds(15)
    /// `UPLOAD_DEADLINE`: the same for a form with files, which may come over a slow line.
    package var uploadDeadline: Duration = .seconds(120)
    /// `BODY_LIMIT`: the largest JSON body, in bytes.
    package var bodyLimit = 256 * 1024

    /// A configuration with every default, for tests.
    package init(port: Int) {
        self.port = port
    }

    package init(_ settings: inout Settings, port: Int) {
        self.environment = settings.environment
        self.host = settings.string("HOST", default: "127.0.0.1")
        self.port = settings.int("PORT", default: port, in: 0...65_535)
        self.internalSecret = InternalSecret(
            settings.secret("MADANG_INTERNAL_SECRET", development: "madang-development-internal-secret")
        )
        self.logLevel = settings.logLevel()
        self.requestDeadline = settings.seconds("REQUEST_DEADLINE", default: 15)
        self.uploadDeadline = settings.seconds("UPLOAD_DEADLINE", default: 120)
        self.bodyLimit = settings.int("BODY_LIMIT", default: 256 * 1024, in: 1024...1_073_741_824)
    }
}
