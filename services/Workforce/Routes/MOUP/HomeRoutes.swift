import Apps
import Contracts
import Hummingbird
import Payroll
import ServiceKit
import Values

/// The home screen (MOUP contract 1.4, call 11).
struct HomeRoutes {
    let homes: Homes

    /// `GET /home` → 200, by role; 403 for a role other than worker and owner.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        switch try await homes.home(of: context.account) {
        case .worker(let home): try .json(WorkerHomeResponse(home))
        case .owner(let home): try .json(OwnerHomeResponse(home))
        }
    }
}

/// MOUP contract 1.3, WorkerHome; income tax includes local tax, health insurance includes long-term care (3D, T10).
struct WorkerHomeResponse: Encodable {
    /// 1 to 12.
    var nowMonth: Int
    var totalSalary: Int
    var prevMonthSalaryDiff: Int
    /// The part of `totalSalary` that is already earned.
    var totalEarnedToDate: Int
    var todayRoutineCounts: Int
    var workerMonthlyWorkplaceSummaryInfoList: [Place]

    struct Place: Encodable {
        var homeWorkplaceSummaryInfo: HomeWorkplace
        @Nullable var daysUntilPayday: Int?
        var totalWorkMinutes: Int
        var dayTimeMinutes: Int
        var nightTimeMinutes: Int
        var restTimeMinutes: Int
        var dayTimeIncome: Int
        /// Null if the allowance is disabled.
        @Nullable var totalHolidayAllowance: Int?
        @Nullable var totalNightAllowance: Int?
        var totalOvertimeAllowance: Int
        var totalHolidayWorkAllowance: Int
        var grossIncome: Int
        @Nullable var nationalPension: Int?
        @Nullable var healthInsurance: Int?
        /// Included in `healthInsurance`.
        @Nullable var longTermCare: Int?
        @Nullable var employmentInsurance: Int?
        @Nullable var incomeTax: Int?
        /// Included in `incomeTax`.
        @Nullable var localIncomeTax: Int?
        var netIncome: Int
        var earnedToDate: Int
    }

    struct HomeWorkplace: Encodable {
        var workplaceSummaryInfo: WorkplaceSummary
        var isNowWorking: Bool
    }

    init(_ home: WorkerHome) {
        nowMonth = home.today.month.month
        workerMonthlyWorkplaceSummaryInfoList = home.places.map { Place($0, today: home.today) }
        totalSalary = workerMonthlyWorkplaceSummaryInfoList.reduce(0) { $0 + $1.netIncome }
        prevMonthSalaryDiff = totalSalary - home.places.reduce(0) { $0 + $1.months.previousNet }
        totalEarnedToDate = workerMonthlyWorkplaceSummaryInfoList.reduce(0) { $0 + $1.earnedToDate }
        todayRoutineCounts = home.routines
    }
}

extension WorkerHomeResponse.Place {
    init(_ place: WorkerHome.Place, today: CivilDate) {
        let (wage, terms) = (place.wage, place.wage.terms)
        let month = place.months.present ?? MonthFigures()
        self.init(
            homeWorkplaceSummaryInfo: .init(
                workplaceSummaryInfo: WorkplaceSummary(place.workplace),
                isNowWorking: place.isNowWorking
            ),
            daysUntilPayday: terms.daysUntilPayDay(from: today),
            totalWorkMinutes: month.netMinutes,
            dayTimeMinutes: month.netMinutes - month.nightMinutes,
            nightTimeMinutes: month.nightMinutes,
            restTimeMinutes: month.restMinutes,
            dayTimeIncome: month.base,
            totalHolidayAllowance: wage.hasHolidayAllowance ? month.weeklyAllowance : nil,
            totalNightAllowance: wage.hasNightAllowance ? month.nightAllowance : nil,
            totalOvertimeAllowance: month.overtimePremium,
            totalHolidayWorkAllowance: month.holidayPremium,
            grossIncome: month.gross,
            nationalPension: terms.hasPension ? month.pension : nil,
            healthInsurance: terms.hasHealth ? month.health + month.longTermCare : nil,
            longTermCare: terms.hasHealth ? month.longTermCare : nil,
            employmentInsurance: terms.hasEmployment ? month.employment : nil,
            incomeTax: terms.hasIncomeTax ? month.incomeTax + month.localIncomeTax : nil,
            localIncomeTax: terms.hasIncomeTax ? month.localIncomeTax : nil,
            netIncome: month.net,
            earnedToDate: month.earned
        )
    }
}

/// MOUP contract 1.3, OwnerHome.
struct OwnerHomeResponse: Encodable {
    /// 1 to 12.
    var nowMonth: Int
    /// The net pay of all workers.
    var totalSalary: Int
    var prevMonthSalaryDiff: Int
    var totalEarnedToDate: Int
    /// The cost for the owner.
    var totalLabourCost: Int
    var todayRoutineCounts: Int
    var ownerMonthlyWorkplaceSummaryInfoList: [Place]

    struct Place: Encodable {
        var workplaceSummaryInfo: WorkplaceSummary
        var labourCost: Int
        var earnedToDate: Int
        var monthlyWorkerSummaryInfoList: [Staff]
    }

    struct Staff: Encodable {
        var workerId: WorkerID
        var nickname: String
        var totalWorkMinutes: Int
        var grossIncome: Int
        var netIncome: Int
        var labourCost: Int
        var earnedToDate: Int
    }

    init(_ home: OwnerHome) {
        let places = home.places.map(Place.init)
        nowMonth = home.today.month.month
        ownerMonthlyWorkplaceSummaryInfoList = places
        totalSalary = places.reduce(0) { $1.monthlyWorkerSummaryInfoList.reduce($0) { $0 + $1.netIncome } }
        prevMonthSalaryDiff =
            totalSalary - home.places.reduce(0) { $1.workers.reduce($0) { $0 + $1.months.previousNet } }
        totalEarnedToDate = places.reduce(0) { $0 + $1.earnedToDate }
        totalLabourCost = places.reduce(0) { $0 + $1.labourCost }
        todayRoutineCounts = home.routines
    }
}

extension OwnerHomeResponse.Place {
    init(_ place: OwnerHome.Place) {
        // Workers with a shift only in the previous month count only for the difference.
        let staff = place.workers.compactMap { worker in
            worker.months.present.map { OwnerHomeResponse.Staff(worker, $0) }
        }
        self.init(
            workplaceSummaryInfo: WorkplaceSummary(place.workplace),
            labourCost: staff.reduce(0) { $0 + $1.labourCost },
            earnedToDate: staff.reduce(0) { $0 + $1.earnedToDate },
            monthlyWorkerSummaryInfoList: staff
        )
    }
}

extension OwnerHomeResponse.Staff {
    fileprivate init(_ staff: OwnerHome.Staff, _ month: MonthFigures) {
        self.init(
            workerId: staff.worker,
            nickname: staff.nickname,
            totalWorkMinutes: month.netMinutes,
            grossIncome: month.gross,
            netIncome: month.net,
            labourCost: month.labourCost,
            earnedToDate: month.earned
        )
    }
}
