extension OperatorsAPI {
    /// `GET /internal/operators/differences`: the newest comparisons with PortOne.
    package struct Comparisons: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/differences"

        /// Newest first, up to 14.
        package var comparisons: [Comparison]

        package init(comparisons: [Comparison]) { self.comparisons = comparisons }
    }

    /// A comparison of all payments with PortOne. `GET /internal/comparisons/{day}`: that of a day, 404 if there was none;
    /// `POST`: compares the day again in parts, 409 while it is being compared. Both also of `stack`.
    package struct Comparison: Codable, Sendable, Equatable {
        /// In Seoul, `yyyy-MM-dd`; payments of the six days before it are compared, too.
        package var day: String
        package var isFinished: Bool
        /// Seconds since 1970.
        package var startedAt: Double
        package var finishedAt: Double?
        /// The number of payments at PortOne, of those that were compared.
        package var payments: Int
        /// Of a list of comparisons up to 50 each, those that remain first; of one day all; none of a part before the last.
        package var differences: [Difference]
        /// The cursor of the next part, which is asked for within half a minute; nil after the last one.
        package var next: String?

        package init(
            day: String,
            isFinished: Bool,
            startedAt: Double,
            finishedAt: Double?,
            payments: Int,
            differences: [Difference],
            next: String? = nil
        ) {
            (self.day, self.isFinished, self.startedAt) = (day, isFinished, startedAt)
            (self.finishedAt, self.payments) = (finishedAt, payments)
            (self.differences, self.next) = (differences, next)
        }

        package static func path(_ day: String) -> String { "/internal/comparisons/\(day)" }

        /// - Parameters:
        ///   - cursor: `next` of the part before, whose characters need no encoding; nil for the first one.
        ///   - limit: The number of payments after which a part ends, from 1 to 1,000.
        package static func path(_ day: String, after cursor: String?, limit: Int) -> String {
            "\(path(day))?limit=\(limit)" + (cursor.map { "&after=\($0)" } ?? "")
        }
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
