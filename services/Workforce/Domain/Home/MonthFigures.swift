/// The stored pay of a worker for a month.
struct MonthFigures: Sendable, Equatable {
    var netMinutes = 0
    var nightMinutes = 0
    var restMinutes = 0
    var base = 0
    var nightAllowance = 0
    var weeklyAllowance = 0
    var overtimePremium = 0
    var holidayPremium = 0
    var gross = 0
    var pension = 0
    var health = 0
    var longTermCare = 0
    var employment = 0
    var incomeTax = 0
    var localIncomeTax = 0
    var net = 0
    var labourCost = 0
    /// The part of `net` that was earned by shifts that are over.
    var earned = 0
}

/// The pay of a worker for the current and the previous month.
struct TwoMonths: Sendable, Equatable {
    /// nil for a month without a shift or pay.
    var present: MonthFigures?
    var previousNet = 0

    mutating func add(_ figures: MonthFigures, isPresent: Bool) {
        if isPresent { present = figures } else { previousNet += figures.net }
    }

    mutating func join(_ other: TwoMonths) {
        present = present ?? other.present
        previousNet += other.previousNet
    }
}
