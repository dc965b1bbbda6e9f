/// The kinds that an installation and a host of a cluster have in common.
extension DatabaseFaults {
    func action(for fault: PlannedFault) throws(FaultNotApplied) -> FaultAction {
        switch fault.kind {
        case .killBackend: try killBackend(fault.begins.microseconds)
        case .killCheckpointer: try killCheckpointer()
        case .stopDatabase: try stop()
        case .slowCommits: try slowCommits(fault.strength)
        case .restartDatabase: try restartImmediately()
        case .killDatabase: try killAll()
        default: throw FaultNotApplied("\(fault.kind.rawValue) is no fault of PostgreSQL.")
        }
    }
}

extension ProviderFaults {
    func action(for fault: PlannedFault) throws(FaultNotApplied) -> FaultAction {
        fault.kind == .webhookTwice
            ? webhooks(fault.strength) : try fail(fault.target.name, fault.kind, fault.strength)
    }
}

extension UpgradeFaults {
    func action(for fault: PlannedFault) throws(FaultNotApplied) -> FaultAction {
        let name = fault.target.name
        guard fault.kind == .wrongClock else { return try upgrade(name) }
        // By turns ahead and behind.
        let isBehind = fault.begins.microseconds % 2 == 1
        return try wrongClock(name, isBehind ? -fault.strength : fault.strength)
    }
}

extension FaultOffer {
    mutating func add(_ kind: FaultKind, _ targets: [FaultTarget], unless obstacle: String?) {
        if let obstacle { leaveOut(kind, because: obstacle) } else { add(kind, targets) }
    }

    mutating func addDatabase() {
        let database = [FaultTarget(DatabaseFaults.name)]
        for kind in [
            FaultKind.killBackend, .killCheckpointer, .stopDatabase, .slowCommits, .restartDatabase, .killDatabase,
        ] {
            add(kind, database)
        }
    }

    mutating func addProviders() {
        let all = ProviderFaults.names.map { FaultTarget($0) }
        for kind in [FaultKind.providerLate, .providerLost, .providerFails, .providerSilent] { add(kind, all) }
        add(.webhookTwice, [FaultTarget("portone")])
    }

    mutating func addUpgrades(all: [FaultTarget], services: [FaultTarget]) {
        add(.upgrade, all)
        add(.wrongClock, services, unless: WrongClock.obstacle)
    }
}
