/// Every program of the house with its place: the one table that `up`, `down`, `status`, `logs` and the scenarios read.
///
/// A new service gets its line here, and its schema by its name in `Bootstrap/bootstrap.sql`.
package struct Fleet: Sendable {
    package private(set) var sandbox = Member("sandbox", .sandbox, port: 8090)
    package private(set) var services = [
        Member("auth", .service, port: 8081),
        Member("seats", .service, port: 8082),
        Member("workforce", .service, port: 8083),
        Member("estate", .service, port: 8084),
        Member("community", .service, port: 8085),
        Member("chat", .service, port: 8086),
        Member("payments", .service, port: 8087),
        Member("notifications", .service, port: 8088),
    ]
    package private(set) var gateway = Member("gateway", .gateway, port: 8080, adminPort: 8079)

    /// Everything, in the order in which tables show it.
    package var members: [Member] { [sandbox] + services + [gateway] }

    /// The outside systems that the sandbox plays. A program that needs one reads `KAKAO_URL`, `APPLE_URL`, …
    package static let providers = ["kakao", "apple", "google", "sms", "seoul", "portone", "fcm"]

    /// Two heaps for all threads. By default the C library gives each thread one of its own, and what one heap has freed no
    /// other can use: with hundreds of sockets that is a tenth of a process's memory.
    package static let heaps = ["MALLOC_ARENA_MAX": "2"]

    /// The table with the ports that the environment asks for.
    ///
    /// - Throws: `StackError` for a value that is no port, and for a port that two programs ask for.
    package init(environment: [String: String]) throws {
        try sandbox.move(environment)
        try gateway.move(environment)
        for index in services.indices { try services[index].move(environment) }
        var taken: [Int: String] = [:]
        for port in members.flatMap(\.ports) {
            if let other = taken.updateValue(port.variable, forKey: port.number) {
                throw StackError("\(other) and \(port.variable) are both \(port.number); every program needs its own")
            }
        }
    }

    /// What a member finds in its environment, beside what `up` itself was given.
    ///
    /// - Parameters:
    ///   - inherited: the environment of `up`; addresses of outside systems and log levels set there win.
    ///   - databaseURL: the address of the database for a role.
    package func environment(
        of member: Member,
        inherited: [String: String],
        databaseURL: (_ role: String) -> String
    ) -> [String: String] {
        var own = ["HOST": "127.0.0.1", "PORT": String(member.port.number)]
        if let port = member.adminPort { own["ADMIN_PORT"] = String(port.number) }
        if member.role == .service { own["DATABASE_URL"] = databaseURL(member.name) }
        for service in services {
            own["\(service.name.uppercased())_URL"] = service.url
        }
        var defaults = Self.heaps.merging(["PUBLIC_URL": gateway.url]) { $1 }
        for provider in Self.providers {
            defaults["\(provider.uppercased())_URL"] = "\(sandbox.url)/\(provider)"
        }
        // Kakao's search is on another host than its login; the sandbox plays both in one place.
        defaults["KAKAO_LOCAL_URL"] = defaults["KAKAO_URL"]
        // So is the city's calendar of events.
        defaults["SEOUL_EVENTS_URL"] = defaults["SEOUL_URL"]
        // Where PortOne's console would be told to send its webhooks.
        defaults["PORTONE_WEBHOOK_URL"] = "\(gateway.url)/notices/portone"
        // Where Firebase's console would give out the apps' service accounts.
        defaults["FCM_CREDENTIALS"] = "\(sandbox.url)/_control/fcm/service-accounts/madang-*"
        // The script that opens PortOne's pay window in a browser.
        defaults["PORTONE_SCRIPT_URL"] = "\(sandbox.url)/portone/v1/iamport.js"
        return defaults.merging(inherited) { $1 }.merging(own) { $1 }
    }
}
