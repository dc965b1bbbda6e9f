import ServiceHost

/// Every setting of the seats service.
struct SeatsConfiguration: Sendable {
    var host: HostConfiguration
    /// `DATABASE_URL`.
    var databaseURL: String

    /// Every default, for tests.
    init(databaseURL: String) {
        self.host = HostConfiguration(port: 0)
        self.databaseURL = databaseURL
    }

    init(_ settings: inout Settings) {
        self.host = HostConfiguration(&settings, port: 8082)
        self.databaseURL = settings.secret("DATABASE_URL", development: "postgres://seats:seats@127.0.0.1:5432/madang")
    }
}
