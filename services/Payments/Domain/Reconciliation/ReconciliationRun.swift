import Values

/// A reconciliation in progress, as taken by a replica.
struct ReconciliationRun: Sendable, Equatable {
    /// The page that is compared next.
    enum Position: Sendable, Equatable {
        /// PortOne's payments, after so many pages.
        case portOne(pages: Int)
        /// This service's payments, after this `imp_uid` in the order of the database.
        case payments(after: String)
    }

    /// A page that was compared.
    struct Page: Sendable {
        var next: Position
        /// PortOne's payments on the page.
        var seen: [String] = []
        var differences: [(Difference, isMended: Bool)] = []
    }

    var day: CivilDate
    /// Distinguishes this run from those that took the day before.
    var lease: Int64
    var position: Position
}

extension ReconciliationRun.Position {
    /// The name of the step and the last page or `imp_uid`, as stored.
    var stored: (step: String, cursor: String) {
        switch self {
        case .portOne(let pages): ("portone", "\(pages)")
        case .payments(let impUID): ("payments", impUID)
        }
    }

    init(step: String, cursor: String) {
        self = step == "payments" ? .payments(after: cursor) : .portOne(pages: Int(cursor) ?? 0)
    }
}
