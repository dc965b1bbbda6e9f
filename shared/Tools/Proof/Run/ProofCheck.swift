import Contracts

/// Checks the promises of a run.
struct ProofCheck {
    let pages: Diary.Pages
    let tables: ProofTables.Contents
    /// Of the ledger, while people played.
    let samples: [LedgerSample]
    let faults: [AppliedFault]
    /// The deliveries of events and the refunds that still wait.
    let waiting: [Step]
    /// When the phones ended.
    let end: Moment

    /// The sentences of all promises to people. Beside them, a run checks its own faults (`FaultsAreMade`).
    static let promises = [
        SeatsHaveOneOccupant.promise, RoomsHaveOneOrder.promise, WritesAreKept.promise, RefusalsHaveNoTrace.promise,
        RepeatsTakeEffectOnce.promise, OrdersArePaidOnce.promise, LedgersAreZero.promise,
        PayslipsAreRecomputed.promise, CountersAreCounts.promise, PushesArriveOnce.promise, SessionsEnd.promise,
        SignOutsHaveReasons.promise, LeaversAreNowhere.promise,
        PositionsAreHidden.promise, TimesAreTheServers.promise, readableAnswers, arrivingEvents,
    ]

    private static let readableAnswers = "An app can read every answer."
    private static let arrivingEvents = "Every event arrives, and every refund is made."

    func findings() -> (findings: [Finding], availability: Availability) {
        let rooms = pages.rooms.map { room, history in
            var history = history
            history.table = tables.rooms[room] ?? []
            return history
        }
        let findings = [
            SeatsHaveOneOccupant.check(pages.seats, rules: Self.seatRules),
            RoomsHaveOneOrder.check(rooms),
            WritesAreKept.check(writes),
            RefusalsHaveNoTrace.check(writes),
            RepeatsTakeEffectOnce.check(repeats, effects: effects),
            OrdersArePaidOnce.check(tables.payments),
            LedgersAreZero.check(samples),
            PayslipsAreRecomputed.check(pages.payslips.map(\.pair)),
            CountersAreCounts.check(tables.likes, unreadIn: rooms, badges: pushes),
            PushesArriveOnce.check(pushes),
            SessionsEnd.check(pages.sessions, failures: spans.filter { $0.kinds.contains("auth") }, end: end),
            SignOutsHaveReasons.check(pages.sessions),
            LeaversAreNowhere.check(pages.leavers, found: tables.remains, keeping: Self.events),
            PositionsAreHidden.check(pages.positions, of: tables.listings),
            TimesAreTheServers.check(pages.clockIns),
            answersAreReadable,
            eventsArrive,
            FaultsAreMade.check(faults),
        ]
        return (findings, Availability(of: pages.answers, during: spans))
    }

    /// Events that were delivered, which are deleted after seven days.
    private static let events = Set(ServiceName.allCases.map { "\($0.rawValue).outbox.body" })

    /// An act without an answer takes effect within the deadlines of gateway and service, or never.
    private static var seatRules: SeatRules {
        var rules = SeatRules()
        rules.lateness = 60_000_000
        return rules
    }

    private var pushes: PushHistory {
        var pushes = pages.pushes
        pushes.arrivals = tables.arrivals
        return pushes
    }

    /// With what the tables have of the comments that were written.
    private var writes: WriteHistory {
        var writes = pages.writes
        for place in Set(writes.writes.map(\.place)) where place.hasPrefix("comment ") {
            let parts = place.split(separator: "\"")
            guard parts.count == 3, let post = parts[2].split(separator: " ").last else { continue }
            let isThere = tables.comments[String(post)]?.contains(String(parts[1])) == true
            writes.readings.append(
                WriteReading(place, isThere ? "there" : nil, reader: "table", begun: tables.at, ended: tables.at)
            )
        }
        return writes
    }

    /// Repeated messages that were not deleted afterwards: of the others the table has no text.
    private var repeats: [KeyedAct] {
        // A message's key ends as the id of its room does.
        let deleted = Set(
            pages.rooms.flatMap { room, history in history.deletions.map { "\($0.message) \(room.suffix(6))" } }
        )
        return pages.repeats.filter { act in !deleted.contains("\(act.answer ?? "") \(act.key.suffix(6))") }
    }

    private var effects: [String: Int] {
        Dictionary(grouping: tables.rooms.values.flatMap { $0.filter { $0.kind == .sent }.compactMap(\.marker) }) { $0 }
            .mapValues(\.count)
    }

    private var spans: [FaultSpan] { Self.spans(of: faults, pages.answers) }

    /// When routes of the kinds that were asked may have been unavailable.
    static func spans(of faults: [AppliedFault], _ answers: [RouteAnswer]) -> [FaultSpan] {
        let kinds = Set(answers.map(\.kind))
        return faults.filter { $0.state != .skipped }.map { fault in
            let concerned = kinds.filter { kind in
                ProgramName(rawValue: kind).map(fault.concerns.includes) ?? false
            }
            return FaultSpan(
                fault.name,
                begun: fault.begun,
                ended: fault.ended,
                kinds: concerned
            )
        }
    }

    private var answersAreReadable: Finding {
        Finding(
            Self.readableAnswers,
            checked: pages.answers.count,
            violations: pages.surprises.map { Violation("\($0.phone) \($0.what)", story: [$0]) }
        )
    }

    private var eventsArrive: Finding {
        let sentence = "\(waiting.count) deliveries of events and refunds wait two minutes after the last fault."
        let violation = Violation(sentence, story: Array(waiting.prefix(Violation.longestStory)))
        return Finding(
            Self.arrivingEvents,
            checked: 1,
            violations: waiting.isEmpty ? [] : [violation]
        )
    }
}
