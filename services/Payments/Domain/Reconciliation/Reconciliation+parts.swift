import FoundationEssentials
import Values

/// Comparisons in parts, each of which takes less time than a request may.
extension Reconciliation {
    /// What was compared until a part ended.
    struct Part: Sendable {
        /// Without differences as long as there is a next part.
        var result: Result
        /// The run whose next part is to be compared; nil after the last one.
        var next: ReconciliationRun?
    }

    /// Seconds for which a run waits for the caller's next part; any replica takes it afterwards.
    private static let pause: TimeInterval = 30

    /// Compares a day and the days before it again, or resumes their comparison, until a number of payments was compared.
    ///
    /// - Parameter limit: At least 1. Also of PortOne's pages of the run, of which a part has whole ones.
    /// - Returns: nil when another replica compares the day.
    /// - Throws: `ProviderUnavailable`; the comparison is resumed where it failed.
    func firstPart(of day: CivilDate, atMost limit: Int) async throws -> Part? {
        let page = min(limit, portOnePage)
        let run = try await store.begin(day, at: now(), for: Self.lease, page: page, isForced: true, in: database)
        guard let run else { return nil }
        return try await compare(run, atMost: limit, thenFor: Self.pause)
    }

    /// Compares the part after another one. Repeated with the same run, it compares the same payments, once.
    ///
    /// - Returns: nil for a run that is not known, or that another replica has taken.
    /// - Throws: `ProviderUnavailable`.
    func part(after run: ReconciliationRun, atMost limit: Int) async throws -> Part? {
        switch try await store.isOpen(run, until: now() + Self.lease, in: database) {
        case true?: try await compare(run, atMost: limit, thenFor: Self.pause)
        case false?: try await store.result(of: run.day, in: database).map { Part(result: $0, next: nil) }
        case nil: nil
        }
    }
}

extension ReconciliationRun {
    /// The run as a caller of parts gets it and gives it back: its lease, step and place, as `3.payments.imp_1`.
    var cursor: String {
        let (step, place) = position.stored
        return "\(lease).\(step).\(place)"
    }

    /// - Returns: nil if the text is no cursor.
    init?(_ cursor: String, of day: CivilDate) {
        let parts = cursor.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, cursor.utf8.count <= 200, !cursor.utf8.contains(0), let lease = Int64(parts[0]) else {
            return nil
        }
        let position = Position(step: parts[1], cursor: parts[2], page: 1)
        guard position.stored == (parts[1], parts[2]) else { return nil }
        if case .portOne(let pages, let size) = position {
            guard (1...1_000_000).contains(pages), (1...1_000).contains(size) else { return nil }
        }
        self.init(day: day, lease: lease, position: position)
    }
}
