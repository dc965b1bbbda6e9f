/// What a month of somebody at a workplace comes to, as kept.
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
    /// Of `net`, what has been earned by shifts that are over.
    var earned = 0
}

/// What somebody has at a workplace this month and had the month before.
struct TwoMonths: Sendable, Equatable {
    /// nil without a shift and without pay.
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
