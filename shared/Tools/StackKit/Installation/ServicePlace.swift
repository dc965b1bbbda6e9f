import FoundationEssentials

/// The database that has a service's schema: an administrator's URL and that of the service's role.
package struct ServicePlace: Codable, Sendable, Equatable {
    package var administrator: String
    package var role: String

    package init(administrator: String, role: String) {
        self.administrator = administrator
        self.role = role
    }

    /// The server, for messages.
    package var description: String { (try? ServerURL(administrator).place) ?? "another server" }
}

/// A move of a service's schema to another server, from its first change until its last one.
package struct MoveRecord: Codable, Sendable {
    package var service: String
    package var source: ServicePlace
    package var target: ServicePlace
    /// The source's URL as the target reaches it, of a role that can only copy the schema.
    package var connection: String
    /// The subscription's number on the target (`pg_subscription.oid`), of which names of slots are made; nil before it
    /// exists.
    package var subscription: Int?
    package var phase = Phase.begun

    package enum Phase: String, Codable, Sendable {
        /// One of the two servers accepts writes.
        case begun
        /// The source has committed to refuse writes; the target may not have opened yet.
        case decided
        /// The source has the schema as before.
        case undone
        /// The target has the schema.
        case done
    }

    package init(service: String, source: ServicePlace, target: ServicePlace, connection: String) {
        (self.service, self.source, self.target, self.connection) = (service, source, target, connection)
    }

    /// The service's `DATABASE_URL`: of both servers as long as either may accept writes.
    package var databaseURL: String {
        get throws {
            switch phase {
            case .begun, .decided: try ServerURL(source.role).followed(by: ServerURL(target.role)).text
            case .undone: source.role
            case .done: target.role
            }
        }
    }
}

/// Where the schemas are that are not in the installation's own database. The files have passwords and are readable by
/// their owner only.
extension LocalFolder {
    private var databases: String { "\(path)/databases" }

    /// Where a service's schema was moved to; nil for the installation's own database.
    package func place(of service: String) throws -> ServicePlace? { try decoded("\(databases)/\(service).json") }

    package func save(_ place: ServicePlace, of service: String) throws {
        try encode(place, to: "\(databases)/\(service).json")
    }

    /// The schema is in the installation's own database again.
    package func removePlace(of service: String) {
        try? FileManager.default.removeItem(atPath: "\(databases)/\(service).json")
    }

    /// The moves that have not ended: at most one, unless several were cut off.
    package var moves: [MoveRecord] {
        get throws {
            try KernelFile.names(databases).filter { $0.hasSuffix(".move") }.sorted().compactMap {
                try decoded("\(databases)/\($0)")
            }
        }
    }

    package func save(_ move: MoveRecord) throws { try encode(move, to: file(of: move)) }

    package func remove(_ move: MoveRecord) { try? FileManager.default.removeItem(atPath: file(of: move)) }

    /// The `DATABASE_URL` of a service.
    ///
    /// - Parameter own: That of the installation's own database.
    package func databaseURL(of service: String, own: String) throws -> String {
        if let move = try moves.first(where: { $0.service == service }) { return try move.databaseURL }
        return try place(of: service)?.role ?? own
    }

    private func file(of move: MoveRecord) -> String { "\(databases)/\(move.service).move" }

    private func decoded<Value: Decodable>(_ path: String) throws -> Value? {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
        guard let value = try? JSONDecoder().decode(Value.self, from: data) else {
            throw StackError("\(path) is damaged; it names the database that a service was moved to")
        }
        return value
    }

    private func encode(_ value: some Encodable, to path: String) throws {
        try? FileManager.default.createDirectory(atPath: databases, withIntermediateDirectories: true)
        try PrivateFile.write(JSONEncoder().encode(value), to: path)
    }
}
