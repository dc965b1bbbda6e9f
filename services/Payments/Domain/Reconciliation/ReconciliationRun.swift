import Values

/// A reconciliation in progress, as taken by a replica.
struct ReconciliationRun: Sendable, Equatable {
    /// The page that is compared next.
    enum Position: Sendable, Equatable {
        /// PortOne's payments, after so many pages of a size, which a run keeps.
        case portOne(pages: Int, of: Int)
        /// This service's payments, after this `imp_uid` in the order of the database.
        case payments(after: String)
    }

    /// A page that was compared.
    struct Page: Sendable {
        var next: Position
        /// PortOne's payments on the page.
        var seen: [String] = []
        /// The number of payments on the page, also of those that are not PortOne's.
        var count: Int
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
        case .portOne(let pages, let size): ("portone", "\(pages)x\(size)")
        case .payments(let impUID): ("payments", impUID)
        }
    }

    /// - Parameter page: The size of PortOne's pages where none is stored.
    init(step: String, cursor: String, page: Int) {
        if step == "payments" {
            self = .payments(after: cursor)
        } else {
            let numbers = cursor.split(separator: "x").map { Int($0) ?? 0 }
            self = .portOne(pages: numbers.first ?? 0, of: numbers.count > 1 ? numbers[1] : page)
        }
    }

    /// Whether nothing of a run was compared.
    var isFirst: Bool { if case .portOne(pages: 0, _) = self { true } else { false } }
}
