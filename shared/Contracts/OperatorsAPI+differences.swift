extension OperatorsAPI {
    /// `GET /internal/operators/differences`: the newest comparisons with PortOne.
    package struct Comparisons: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/differences"

        /// Newest first, up to 14.
        package var comparisons: [Comparison]

        package init(comparisons: [Comparison]) { self.comparisons = comparisons }
    }

    /// A comparison of all payments with PortOne. `GET /internal/comparisons/{day}`: that of a day, 404 if there was none;
    /// `POST`: compares the day again, 409 while it is being compared. Both also of `stack`.
    package struct Comparison: Codable, Sendable, Equatable {
        /// In Seoul, `yyyy-MM-dd`; payments of the six days before it are compared, too.
        package var day: String
        package var isFinished: Bool
        /// Seconds since 1970.
        package var startedAt: Double
        package var finishedAt: Double?
        /// The number of payments at PortOne.
        package var payments: Int
        /// Of a list of comparisons up to 50 each, those that remain first; of one day all.
        package var differences: [Difference]

        package init(
            day: String,
            isFinished: Bool,
            startedAt: Double,
            finishedAt: Double?,
            payments: Int,
            differences: [Difference]
        ) {
            (self.day, self.isFinished, self.startedAt) = (day, isFinished, startedAt)
            (self.finishedAt, self.payments, self.differences) = (finishedAt, payments, differences)
        }

        package static func path(_ day: String) -> String { "/internal/comparisons/\(day)" }
    }

    /// A difference between a payment in the database and at PortOne.
    package struct Difference: Codable, Sendable, Equatable {
        package var impUID: String
        /// As `amount`, `unknown_here`, `refund_overdue`.
        package var kind: String
        package var ours: String?
        package var theirs: String?
        /// Whether it was gone after PortOne's report had been processed.
        package var isMended: Bool

        package init(impUID: String, kind: String, ours: String?, theirs: String?, isMended: Bool) {
            (self.impUID, self.kind, self.ours, self.theirs) = (impUID, kind, ours, theirs)
            self.isMended = isMended
        }
    }
}
