import PostgresServer
package import StackKit

/// A local installation (`stack up`) that faults are applied to.
package struct FaultyStack: FaultySystem {
    let folder: LocalFolder
    let programs: Programs
    let processes: ProcessFaults
    let descriptors: DescriptorFaults
    let database: DatabaseFaults
    let disk: DiskFaults
    let providers: ProviderFaults
    let upgrades: UpgradeFaults
    let moves: MoveFaults
    let drill: RestoreDrill
    private let killsSandbox: Bool

    /// - Parameters:
    ///   - folder: Of an installation that runs.
    ///   - stack: The path of `stack`.
    ///   - environment: The settings that `stack up` had, for programs that are replaced.
    ///   - killsSandbox: Whether the sandbox may be killed, upon which it forgets payments and what was sent to phones.
    /// - Throws: `StackError` if its database is that of `DATABASE_ADMIN_URL`.
    package init(
        _ folder: LocalFolder,
        stack: String,
        environment: [String: String] = [:],
        killsSandbox: Bool = false
    ) throws {
        guard folder.savedPorts["DATABASE_ADMIN_URL"].map(\.isEmpty) != false else {
            throw StackError(
                "faults are applied to an installation's own server; this one uses that of DATABASE_ADMIN_URL"
            )
        }
        let server = try PostgresServer(directory: folder.postgres)
        let command = StackCommand(prefix: [stack], folder: folder, environment: environment)
        let administrator = { @Sendable () throws -> ServerURL in try Database(server: server).administrator }
        self.folder = folder
        self.killsSandbox = killsSandbox
        programs = try Programs(environment: folder.savedPorts)
        processes = ProcessFaults(folder: folder)
        descriptors = DescriptorFaults(processes: processes)
        database = DatabaseFaults(server: server, administrator: administrator)
        disk = DiskFaults(folder: server.directory)
        providers = ProviderFaults(programs.sandboxURL)
        upgrades = UpgradeFaults(stack: command)
        moves = MoveFaults(command)
        drill = RestoreDrill(stack: command, database: administrator, scratch: "\(folder.path)-drill")
    }

    package func action(for fault: PlannedFault) async throws -> FaultAction {
        let name = fault.target.name
        switch fault.kind {
        case .kill, .killSandbox: return try processes.kill(name)
        case .stop: return try processes.stop(name)
        case .descriptors: return try await descriptors.limit(name)
        case .killSupervisor: return try processes.killSupervisor()
        case .killBackend, .killCheckpointer, .stopDatabase, .slowCommits, .restartDatabase, .killDatabase:
            return try database.action(for: fault)
        case .fullDisk: return try disk.fill()
        case .providerLate, .providerLost, .providerFails, .providerSilent, .webhookTwice:
            return try providers.action(for: fault)
        case .wrongClock, .upgrade: return try upgrades.action(for: fault)
        case .move: return try moves.move(name)
        case .restoreDrill: return drill.run()
        case .cut, .slowLink, .lossyLink, .killAnnouncer, .failover:
            throw FaultNotApplied("an installation on one machine has no \(name).")
        }
    }

    package func offer() async -> FaultOffer {
        var offer = FaultOffer()
        let all = programs.upgradable.map(\.name)
        let services = programs.services.map(\.name)
        let hasSandbox = programs.all.contains { $0.role == .sandbox }
        let sandbox = hasSandbox ? [programs.sandbox.name] : []
        func targets(_ names: [String]) -> [FaultTarget] { names.map { FaultTarget($0) } }
        offer.add(.kill, targets(all))
        offer.add(.stop, targets(all + sandbox + [ProcessFaults.supervisor]))
        offer.add(.descriptors, targets(all), unless: DescriptorFaults.obstacle)
        offer.add(.killSupervisor, targets([ProcessFaults.supervisor]))
        offer.add(
            .killSandbox,
            targets(sandbox),
            unless: killsSandbox ? nil : "It forgets what it has, which promises are compared with."
        )
        offer.addDatabase()
        offer.add(.fullDisk, [FaultTarget(DatabaseFaults.name)], unless: disk.obstacle)
        offer.addProviders()
        offer.addUpgrades(all: targets(folder.handoverSocket.isEmpty ? services : all), services: targets(services))
        offer.add(.move, targets(services))
        offer.add(.restoreDrill, [FaultTarget(DatabaseFaults.name)])
        for kind in [FaultKind.cut, .slowLink, .lossyLink, .killAnnouncer, .failover] {
            offer.leaveOut(kind, because: "One machine without hosts of its own has no links; see stack cluster.")
        }
        return offer
    }

    package func undoAll() async -> [String] {
        processes.undo()
        database.undo()
        disk.undo()
        var failures = UndoFailures()
        await failures.attempt("Faults of providers") { try await providers.undo() }
        if database.server.isRunning {
            await failures.attempt("Slow commits") { try await database.undoCommits() }
        }
        await failures.attempt("The move of a schema", within: .seconds(180)) {
            try await moves.undo(programs.services.map(\.name))
        }
        return failures.sentences
    }
}
