import Proof
import StackKit

extension FaultOffer {
    /// All that an installation on one machine could offer.
    static var installation: FaultOffer {
        get throws {
            var offer = FaultOffer()
            let programs = try Programs(environment: [:])
            let all = programs.upgradable.map { FaultTarget($0.name) }
            let services = programs.services.map { FaultTarget($0.name) }
            let providers = Programs.providers.map { FaultTarget($0) }
            offer.add(.kill, all)
            offer.add(.stop, all + [FaultTarget("sandbox"), FaultTarget("supervisor")])
            offer.add(.descriptors, all)
            offer.add(.killSupervisor, [FaultTarget("supervisor")])
            for kind in [
                FaultKind.killBackend, .killCheckpointer, .stopDatabase, .slowCommits, .restartDatabase, .killDatabase,
                .fullDisk, .restoreDrill,
            ] {
                offer.add(kind, [FaultTarget("postgres")])
            }
            for kind in [FaultKind.providerLate, .providerLost, .providerFails, .providerSilent] {
                offer.add(kind, providers)
            }
            offer.add(.webhookTwice, [FaultTarget("portone")])
            offer.add(.upgrade, all)
            offer.add(.wrongClock, services)
            offer.add(.move, services)
            return offer
        }
    }

    /// What a cluster of three hosts could offer.
    static var cluster: FaultOffer {
        get throws {
            var offer = FaultOffer()
            let names = try Programs(environment: [:]).upgradable.map(\.name)
            let hosts = Array(1...3)
            let all: [FaultTarget] = hosts.flatMap { host in names.map { name in FaultTarget(name, host: host) } }
            let links = ["1–2", "1–3", "2–3", "1–clients", "2–clients", "3–clients"].map { FaultTarget($0) }
            for kind in [FaultKind.kill, .stop, .descriptors, .upgrade] { offer.add(kind, all) }
            for kind in [FaultKind.killBackend, .stopDatabase, .restartDatabase, .failover] {
                offer.add(kind, [FaultTarget("postgres")])
            }
            for kind in [FaultKind.cut, .slowLink, .lossyLink] { offer.add(kind, links) }
            offer.add(.killAnnouncer, (1...3).map { FaultTarget("nats", host: $0) })
            for kind in [FaultKind.providerLate, .providerFails] {
                offer.add(kind, Programs.providers.map { FaultTarget($0) })
            }
            return offer
        }
    }
}

extension FaultPlan {
    /// The plan of ten minutes.
    static func sample(_ seed: UInt64, _ offer: FaultOffer) throws -> FaultPlan {
        try make(seed: seed, length: .seconds(600), offer: offer, rules: .standard())
    }
}
