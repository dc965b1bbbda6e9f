import AppClients
import PostgresServer
import StackKit

/// All services are replaced one after another by another version, on one database and under load, and on request back
/// again.
struct RollingUpgrade: Sendable {
    /// The folders with the programs of both versions.
    var old: String
    var new: String
    /// Requests per second.
    var rate: Int
    /// Half of the sockets follow rooms, each its own, and half follow trains.
    var sockets: Int
    /// The time without a change of version, before the upgrade and after it.
    var steady: Duration
    /// Whether the old version comes back after the new one.
    var rollsBack: Bool
    var report: @Sendable (String) -> Void = { _ in }

    /// The number of requests that are answered while both copies of a service are there.
    private static let overlap = 50
    /// The gateway sends requests to the copy with fewer open ones. A socket is one, so while the sockets are with the
    /// copy that ends, the other one serves the requests.
    private static let withSockets = ["seats", "chat"]

    /// - Parameters:
    ///   - server: A running server without databases of its own.
    ///   - files: A folder for what the services store.
    func run(on server: PostgresServer, files: String) async throws -> AppRecord {
        report("starting the old version")
        return try await UpgradeFleet.run(old: old, new: new, on: server, files: files) { fleet in
            report("signing users up")
            let record = AppRecord()
            let users = try await AppUsers(fleet.programs, people: 50, rooms: sockets / 2, on: server)
            let sockets = AppSockets(gateway: "ws" + fleet.programs.gateway.url.dropFirst(4), record: record)
            let traffic = AppTraffic(users, record: record)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                report("opening \(self.sockets) sockets")
                group.addTask {
                    await sockets.run(rooms: users.rooms, passengers: users.passengers, seats: self.sockets / 2)
                }
                try await waitUntil("the sockets are open") { sockets.opened == users.rooms.count + self.sockets / 2 }
                let requests = Task { await traffic.run(rate: rate) }
                do {
                    try await replace(fleet, record)
                } catch {
                    traffic.stop()
                    await requests.value
                    throw error
                }
                traffic.stop()
                await requests.value
                report("comparing what was confirmed with what has arrived")
                try await server.withClient(of: Database.name) { database in
                    try await UpgradeCheck(
                        users: users,
                        confirmed: traffic.confirmed,
                        sockets: sockets,
                        record: record,
                        programs: fleet.programs,
                        database: database
                    ).run()
                }
                sockets.stop()
            }
            return record
        }
    }

    private func replace(_ fleet: UpgradeFleet, _ record: AppRecord) async throws {
        let services = fleet.programs.services.filter { fleet.has($0, .old) }
        record.begin("before")
        try await Task.sleep(for: steady)
        record.begin("upgrade")
        for service in services { try await replace(service, .old, by: .new, fleet, record) }
        record.begin("after")
        try await Task.sleep(for: steady)
        guard rollsBack else { return }
        record.begin("roll back")
        for service in services { try await replace(service, .new, by: .old, fleet, record) }
    }

    /// Starts a copy of the other version, lets both serve, and stops the first.
    private func replace(
        _ service: Program,
        _ version: UpgradeFleet.Version,
        by other: UpgradeFleet.Version,
        _ fleet: UpgradeFleet,
        _ record: AppRecord
    ) async throws {
        report("replacing the \(version) \(service.name) by the \(other) one")
        try await fleet.start(service, other)
        let answers = record.answers + Self.overlap
        try await waitUntil("the \(other) \(service.name) serves") {
            guard record.answers >= answers else { return false }
            guard Self.withSockets.contains(service.name) else { return true }
            return try await fleet.requests(to: service, other) >= Self.overlap / 5
        }
        try await fleet.stop(service, version)
    }
}
