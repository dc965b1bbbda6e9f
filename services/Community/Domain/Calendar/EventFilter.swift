import CivilTime
import Geography

/// Which events somebody looks for; what is nil does not matter.
struct EventFilter: Sendable, Equatable {
    /// Running on this day or later.
    var from: CivilDate?
    /// Running on this day or before.
    var to: CivilDate?
    /// The name of a district: `노원구`.
    var district: String?
    /// The whole name of a category, or its first part: `교육/체험` is found by `교육`, too.
    var category: String?
    /// A part of the title, in any case.
    var title: String?
    var isFree: Bool?
    /// Where from distances are.
    var near: Coordinate?
    /// Metres from there.
    var maxDistance: Double?
}
