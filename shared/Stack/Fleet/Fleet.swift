/// Every program of the house with its place: the one table that `up`, `down`, `status`, `logs` and the scenarios read.
///
/// A new service gets its line here, and its schema by its name in `Bootstrap/0001_schemas.sql`.
struct Fleet: Sendable {
    /// In the order of starting; stopping goes the other way.
    private(set) var members: [Member] = [
        Member("sandbox", .sandbox, port: 8090),
        Member("auth", .service, port: 8081),
        Member("seats", .service, port: 8082),
        Member("gateway", .gateway, port: 8080, adminPort: 8079),
    ]

    /// The outside systems that the sandbox plays. A program that needs one reads `KAKAO_URL`, `APPLE_URL`, …
    static let providers = ["kakao", "apple"]

    /// The table with the ports that the environment asks for.
    ///
    /// - Throws: `StackError` for a value that is no port, and for a port that two programs ask for.
    init(environment: [String: String]) throws {
        for index in members.indices {
            try Self.override(&members[index].port, environment)
            if var port = members[index].adminPort {
                try Self.override(&port, environment)
                members[index].adminPort = port
            }
        }
        var taken: [Int: String] = [:]
        for port in members.flatMap(\.ports) {
            if let other = taken.updateValue(port.variable, forKey: port.number) {
                throw StackError("\(other) and \(port.variable) are both \(port.number); every program needs its own")
            }
        }
    }

    var gateway: Member { member(named: "gateway") }
    var sandbox: Member { member(named: "sandbox") }

    /// The member with a name that stands in the table above.
    private func member(named name: String) -> Member {
        guard let member = members.first(where: { $0.name == name }) else {
            preconditionFailure("the table of the fleet has no \(name)")
        }
        return member
    }

    /// What a member finds in its environment, beside what `up` itself was given.
    ///
    /// - Parameters:
    ///   - inherited: the environment of `up`; addresses of outside systems and log levels set there win.
    ///   - databaseURL: the address of the database for a role.
    func environment(
        of member: Member,
        inherited: [String: String],
        databaseURL: (_ role: String) -> String
    ) -> [String: String] {
        var own = ["HOST": "127.0.0.1", "PORT": String(member.port.number)]
        if let port = member.adminPort { own["ADMIN_PORT"] = String(port.number) }
        if member.role == .service { own["DATABASE_URL"] = databaseURL(member.name) }
        for service in members where service.role == .service {
            own["\(service.name.uppercased())_URL"] = service.url
        }
        var defaults: [String: String] = [:]
        for provider in Self.providers {
            defaults["\(provider.uppercased())_URL"] = "\(sandbox.url)/\(provider)"
        }
        return defaults.merging(inherited) { $1 }.merging(own) { $1 }
    }

    private static func override(_ port: inout Member.Port, _ environment: [String: String]) throws {
        guard let text = environment[port.variable] else { return }
        guard let number = Int(text), (1...65_535).contains(number) else {
            throw StackError("\(port.variable) is \"\(text)\"; a port is a number from 1 to 65535")
        }
        port.number = number
    }
}
