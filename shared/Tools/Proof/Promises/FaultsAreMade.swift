/// Every fault could be made and ended, and what a fault asks of the system was done: an upgrade, a move, a restore that has
/// the rows of the backup.
///
/// A fault that was skipped, since its target was away or another one still had effects, says nothing.
package enum FaultsAreMade {
    package static let promise = "Every fault can be made and ended, and upgrades, moves and restores succeed."

    package static func check(_ faults: [AppliedFault]) -> Finding {
        let failed = faults.filter { $0.state == .failed }
        return Finding(
            promise,
            checked: faults.count { $0.state != .skipped },
            violations: failed.map { fault in
                let what = "\(fault.outcome) Until \(fault.ended)."
                let step = Step(at: fault.begun, phone: "\(fault.target)", what: what)
                return Violation("\(fault.kind.rawValue) of \(fault.target) failed: \(fault.outcome)", story: [step])
            }
        )
    }
}
