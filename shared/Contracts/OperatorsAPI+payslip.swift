/// The workforce service's API for operators, about pay. Only the console may call it.
extension OperatorsAPI {
    /// `GET /internal/operators/workers?account=ACCOUNT`: the account's memberships at workplaces, also former ones.
    package struct Memberships: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/workers"

        /// Current ones first, then the newest, up to 50.
        package var memberships: [Membership]

        package init(memberships: [Membership]) { self.memberships = memberships }
    }

    package struct Membership: Codable, Sendable, Equatable {
        package var worker: WorkerID
        package var workplace: WorkplaceID
        package var workplaceName: String
        /// Whether the account has created the workplace.
        package var isOwner: Bool
        /// Whether the owner has accepted the account.
        package var isAccepted: Bool
        /// Seconds since 1970.
        package var joinedAt: Double
        /// When it left or was removed, in seconds since 1970.
        package var leftAt: Double?

        package init(
            worker: WorkerID,
            workplace: WorkplaceID,
            workplaceName: String,
            isOwner: Bool,
            isAccepted: Bool,
            joinedAt: Double,
            leftAt: Double?
        ) {
            (self.worker, self.workplace, self.workplaceName) = (worker, workplace, workplaceName)
            (self.isOwner, self.isAccepted) = (isOwner, isAccepted)
            (self.joinedAt, self.leftAt) = (joinedAt, leftAt)
        }
    }

    /// `GET /internal/operators/payslips?account=ACCOUNT&workplace=WORKPLACE&month=yyyy-MM`: a month of a membership; 404 if
    /// there never was one.
    package struct Payslip: Codable, Sendable, Equatable {
        package static let path = "/internal/operators/payslips"

        package var worker: WorkerID
        package var workplace: WorkplaceID
        package var workplaceName: String
        package var nickname: String
        /// `yyyy-MM`.
        package var month: String
        /// The payslip as it is stored; nil without wage terms.
        package var pay: Pay?
        /// In order, up to 200.
        package var shifts: [Shift]

        package init(
            worker: WorkerID,
            workplace: WorkplaceID,
            workplaceName: String,
            nickname: String,
            month: String,
            pay: Pay?,
            shifts: [Shift]
        ) {
            (self.worker, self.workplace, self.workplaceName) = (worker, workplace, workplaceName)
            (self.nickname, self.month, self.pay, self.shifts) = (nickname, month, pay, shifts)
        }
    }
}

extension OperatorsAPI.Payslip {
    /// The amounts of a payslip, in won.
    package struct Pay: Codable, Sendable, Equatable {
        package var workMinutes: Int
        package var nightMinutes: Int
        package var breakMinutes: Int
        /// The lines that add up to `gross`; among them what was not computed, with 0 won and the reason.
        package var earnings: [Line]
        package var gross: Int
        /// The lines that add up to `deducted`.
        package var deductions: [Line]
        package var deducted: Int
        package var net: Int
        /// The lines that add up to `labourCost`.
        package var employerCosts: [Line]
        package var labourCost: Int
        package var warnings: [Warning]

        package init(
            workMinutes: Int,
            nightMinutes: Int,
            breakMinutes: Int,
            earnings: [Line],
            gross: Int,
            deductions: [Line],
            deducted: Int,
            net: Int,
            employerCosts: [Line],
            labourCost: Int,
            warnings: [Warning]
        ) {
            (self.workMinutes, self.nightMinutes, self.breakMinutes) = (workMinutes, nightMinutes, breakMinutes)
            (self.earnings, self.gross) = (earnings, gross)
            (self.deductions, self.deducted, self.net) = (deductions, deducted, net)
            (self.employerCosts, self.labourCost, self.warnings) = (employerCosts, labourCost, warnings)
        }
    }

    package struct Line: Codable, Sendable, Equatable {
        package var name: String
        /// The sum of the parts.
        package var amount: Int
        /// How the amount of a part follows from its figures, which it names.
        package var formula: String
        /// The article of the law.
        package var law: String
        package var parts: [Part]
        /// Why the amount is 0, or what it leaves out.
        package var reason: String?

        package init(name: String, amount: Int, formula: String, law: String, parts: [Part], reason: String?) {
            (self.name, self.amount, self.formula) = (name, amount, formula)
            (self.law, self.parts, self.reason) = (law, parts, reason)
        }
    }

    package struct Part: Codable, Sendable, Equatable {
        /// The day, or the Monday of the week: `yyyy-MM-dd`.
        package var date: String?
        /// The formula with its figures in place of their names; nil if several figures have the same name.
        package var calculation: String?
        /// The figures that the calculation does not show, as `하한액 390,000원`.
        package var figures: [String]
        package var amount: Int

        package init(date: String?, calculation: String?, figures: [String], amount: Int) {
            (self.date, self.calculation, self.figures, self.amount) = (date, calculation, figures, amount)
        }
    }

    /// A violation of law as far as the records show it, or a reservation about the rates.
    package struct Warning: Codable, Sendable, Equatable {
        package var message: String
        /// The article of the law.
        package var law: String
        /// The shift's day, the week's Monday, or the first of the month: `yyyy-MM-dd`.
        package var date: String

        package init(message: String, law: String, date: String) {
            (self.message, self.law, self.date) = (message, law, date)
        }
    }

    /// A shift. Times are seconds since 1970.
    package struct Shift: Codable, Sendable, Equatable {
        /// The day in Seoul on which it begins: `yyyy-MM-dd`.
        package var day: String
        /// As planned.
        package var startsAt: Double
        /// nil for a shift that is open.
        package var endsAt: Double?
        package var breakMinutes: Int
        /// As clocked in and out; nil without that.
        package var clockedInAt: Double?
        package var clockedOutAt: Double?

        package init(
            day: String,
            startsAt: Double,
            endsAt: Double?,
            breakMinutes: Int,
            clockedInAt: Double?,
            clockedOutAt: Double?
        ) {
            (self.day, self.startsAt, self.endsAt) = (day, startsAt, endsAt)
            (self.breakMinutes, self.clockedInAt, self.clockedOutAt) = (breakMinutes, clockedInAt, clockedOutAt)
        }
    }
}
