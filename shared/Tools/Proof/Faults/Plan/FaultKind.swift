/// What can fail. What each kind does, how often and for how long is in `faults.json`.
package enum FaultKind: String, Sendable, Codable, CaseIterable, Hashable {
    case kill, stop, descriptors, killSupervisor, killSandbox
    case killBackend, killCheckpointer, stopDatabase, slowCommits, restartDatabase, killDatabase, fullDisk
    case providerLate, providerLost, providerFails, providerSilent, webhookTwice
    case wrongClock, upgrade, move, restoreDrill
    case cut, slowLink, lossyLink, killAnnouncer, failover
}
