import FoundationEssentials
import Metrics
import Postgres

/// Records the outcomes of pushes and releases their mailboxes, in one transaction.
struct DeliveryLog: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let mailboxes = MailboxStore()
    private let pushes = PushStore()
    private let sent = Counter(label: "pushes_sent_total")
    private let refused = Counter(label: "pushes_refused_total")
    private let gone = Counter(label: "push_devices_gone_total")
    private let delay = Timer(label: "push_delay_seconds")

    /// The mailbox can be taken again at once.
    private static let atOnce = Date(timeIntervalSince1970: 0)
    /// Seconds until auth is asked again for blocks.
    private static let secondLook: TimeInterval = 2

    func write(_ tries: [PushTry], of lease: UUID) async throws {
        let now = now()
        let over = tries.filter(\.isOver).compactMap(\.push)
        let pending = tries.filter { !$0.isOver }.compactMap(\.push)
        let dead = tries.filter { $0.outcome == .gone }.compactMap(\.push)
        let devices = tries.map(\.device)
        try await database.transaction { transaction in
            var statements = [mailboxes.lock(devices)]
            if !over.isEmpty { statements.append(pushes.delete(over)) }
            if !pending.isEmpty { statements.append(pushes.count(pending)) }
            if !dead.isEmpty { statements.append(pushes.deleteDevices(of: dead)) }
            let heldUntil = tries.map { Self.heldUntil(after: $0, at: now) }
            statements.append(mailboxes.giveBack(devices, of: lease, heldUntil: heldUntil))
            try await transaction.run(statements)
        }
        for attempt in tries { measure(attempt, at: now) }
    }

    private static func heldUntil(after attempt: PushTry, at now: Date) -> Date {
        switch attempt.outcome {
        case .sent, .quiet, .refused, .gone: atOnce
        case .undecided: now + secondLook
        case .later(_, let asked): now + Pause.after((attempt.push?.attempts ?? 0) + 1, asked: asked)
        case .misconfigured: now + Pause.after(1)
        case .platformRejected: now + Pause.after((attempt.push?.attempts ?? 0) + 1)
        }
    }

    private func measure(_ attempt: PushTry, at now: Date) {
        switch attempt.outcome {
        case .sent:
            guard let push = attempt.push else { return }
            sent.increment()
            delay.recordSeconds(now.timeIntervalSince(push.createdAt))
        case .refused: refused.increment()
        case .gone: gone.increment()
        case .quiet, .later, .undecided, .misconfigured, .platformRejected: break
        }
    }
}
