/// All programs of Madang with their ports: the table used by `up`, `down`, `status`, `logs` and the scenarios.
///
/// A new service gets an entry here, and its schema by its name in `Bootstrap/bootstrap.sql`.
package struct Programs: Sendable {
    package private(set) var sandbox = Program("sandbox", .sandbox, port: 8090)
    /// In the order of an upgrade: those that others call come first.
    package private(set) var services = [
        Program("console", .service, port: 8089),
        Program("auth", .service, port: 8081),
        Program("notifications", .service, port: 8088),
        Program("community", .service, port: 8085),
        Program("chat", .service, port: 8086),
        Program("seats", .service, port: 8082),
        Program("workforce", .service, port: 8083),
        Program("estate", .service, port: 8084),
        Program("payments", .service, port: 8087),
    ]
    package private(set) var gateway = Program("gateway", .gateway, port: 8080, tlsPort: 8443, adminPort: 8079)

    package var auth: Program { services.first { $0.name == "auth" } ?? services[0] }

    /// `SANDBOX_URL`: the sandbox of another machine, which takes the place of an own one.
    private let otherSandbox: String?

    /// In the order of tables.
    package var all: [Program] { (otherSandbox == nil ? [sandbox] : []) + services + [gateway] }

    /// The address of the sandbox.
    package var sandboxURL: String { otherSandbox ?? sandbox.url }

    /// What an upgrade replaces, in its order.
    package var upgradable: [Program] { services + [gateway] }

    /// The external systems that the sandbox emulates. A program that needs one reads `KAKAO_URL`, `APPLE_URL`, …
    package static let providers = ["kakao", "apple", "google", "sms", "seoul", "portone", "fcm"]

    /// Limits malloc to two arenas for all threads. By default glibc gives each thread its own, and memory freed in one
    /// arena is not available to others: with hundreds of sockets that is a tenth of a process's memory.
    package static let heaps = ["MALLOC_ARENA_MAX": "2"]

    /// A program that crashes prints the stack of the thread that crashed.
    private static let backtrace = "enable=yes,interactive=no,color=no,threads=crashed,images=none"

    /// Creates the table with the ports set in the environment.
    ///
    /// - Throws: `StackError` for an invalid port, and for a port used by two programs.
    package init(environment: [String: String]) throws {
        otherSandbox = environment["SANDBOX_URL"].flatMap { $0.isEmpty ? nil : $0 }
        try sandbox.setPorts(from: environment)
        try gateway.setPorts(from: environment)
        for index in services.indices { try services[index].setPorts(from: environment) }
        var taken: [Int: String] = [:]
        for port in all.flatMap(\.ports) {
            if let other = taken.updateValue(port.variable, forKey: port.number) {
                throw StackError("\(other) and \(port.variable) are both \(port.number); every program needs its own")
            }
        }
    }

    /// The table with the ports first that the running processes serve.
    package func served(in folder: LocalFolder) -> Programs {
        var programs = self
        for index in services.indices {
            let process = folder.pidFile(of: services[index].name).process
            if let process { programs.services[index] = services[index].served(by: process) }
        }
        return programs
    }

    /// The environment of a program, in addition to that of `up`.
    ///
    /// - Parameters:
    ///   - inherited: The environment of `up`; addresses of external systems and log levels set there take precedence.
    ///   - databaseURL: The URL of the database for a role.
    package func environment(
        of program: Program,
        inherited: [String: String],
        databaseURL: (_ role: String) -> String
    ) -> [String: String] {
        var own = ["HOST": inherited[program.role.address] ?? "127.0.0.1", "PORT": String(program.port.number)]
        // Each program gets its own key, and no other program's.
        own["INTERNAL_KEY"] = inherited["\(program.name.uppercased())_INTERNAL_KEY"] ?? ""
        let inherited = inherited.filter { !$0.key.hasSuffix("_INTERNAL_KEY") }
        if let port = program.tlsPort { own["TLS_PORT"] = String(port.number) }
        if let port = program.adminPort { own["ADMIN_PORT"] = String(port.number) }
        if program.role == .service { own["DATABASE_URL"] = databaseURL(program.name) }
        for service in services {
            own["\(service.name.uppercased())_URL"] = service.urls(with: inherited["PEER_HOSTS"])
        }
        var defaults = Self.heaps.merging(["PUBLIC_URL": gateway.url, "SWIFT_BACKTRACE": Self.backtrace]) { $1 }
        for provider in Self.providers {
            defaults["\(provider.uppercased())_URL"] = "\(sandboxURL)/\(provider)"
        }
        // Empty in the environment of `up` for an own sandbox.
        own["SANDBOX_URL"] = sandboxURL
        // Whom the console sends calls to.
        defaults["GATEWAY_URL"] = gateway.url
        // Kakao's search has another host than its login; the sandbox emulates both at one address.
        defaults["KAKAO_LOCAL_URL"] = defaults["KAKAO_URL"]
        // The city's calendar of events likewise.
        defaults["SEOUL_EVENTS_URL"] = defaults["SEOUL_URL"]
        // The webhook address that is configured in PortOne's console in production.
        defaults["PORTONE_WEBHOOK_URL"] = "\(gateway.url)/notices/portone"
        // The apps' service accounts, which Firebase's console issues in production.
        defaults["FCM_CREDENTIALS"] = "\(sandboxURL)/_control/fcm/service-accounts/madang-*"
        // The script that opens PortOne's payment window in a browser.
        defaults["PORTONE_SCRIPT_URL"] = "\(sandboxURL)/portone/v1/iamport.js"
        return defaults.merging(inherited) { $1 }.merging(own) { $1 }
    }
}
