// The bodies that the app decodes; members that it requires are not optional (MOUP contract 1.3).

/// A workplace on the home screen.
package struct MOUPHomeWorkplace: Decodable, Sendable {
    package var workplaceSummaryInfo: MOUPWorkplaceSummary
    package var isNowWorking: Bool
}

/// The month of a worker at a workplace.
package struct MOUPMonth: Decodable, Sendable {
    package var homeWorkplaceSummaryInfo: MOUPHomeWorkplace
    package var daysUntilPayday: Int?
    package var totalWorkMinutes: Int64
    package var dayTimeMinutes: Int64
    package var nightTimeMinutes: Int64
    package var restTimeMinutes: Int64
    package var dayTimeIncome: Int
    package var totalHolidayAllowance: Int?
    package var totalNightAllowance: Int?
    package var grossIncome: Int
    package var nationalPension: Int?
    package var healthInsurance: Int?
    package var employmentInsurance: Int?
    package var incomeTax: Int?
    package var netIncome: Int
}

/// The home screen of a worker.
package struct MOUPWorkerHome: Decodable, Sendable {
    package var nowMonth: Int
    package var totalSalary: Int
    package var prevMonthSalaryDiff: Int
    package var todayRoutineCounts: Int
    package var workerMonthlyWorkplaceSummaryInfoList: [MOUPMonth]
}

/// The month of a worker, for the owner.
package struct MOUPWorkerMonth: Decodable, Sendable {
    package var nickname: String
    package var totalWorkMinutes: Int64
    package var grossIncome: Int
    package var netIncome: Int
}

/// The month of a workplace.
package struct MOUPShop: Decodable, Sendable {
    package var workplaceSummaryInfo: MOUPWorkplaceSummary
    package var monthlyWorkerSummaryInfoList: [MOUPWorkerMonth]
}

/// The home screen of an owner.
package struct MOUPOwnerHome: Decodable, Sendable {
    package var nowMonth: Int
    package var totalSalary: Int
    package var prevMonthSalaryDiff: Int
    package var todayRoutineCounts: Int
    package var ownerMonthlyWorkplaceSummaryInfoList: [MOUPShop]
}

/// The home screen of either role, which the list of workplaces tells apart.
package enum MOUPHome: Decodable, Sendable {
    case worker(MOUPWorkerHome)
    case owner(MOUPOwnerHome)

    private enum Keys: String, CodingKey {
        case ownerMonthlyWorkplaceSummaryInfoList
    }

    package init(from decoder: any Decoder) throws {
        let isOwner = try decoder.container(keyedBy: Keys.self).contains(.ownerMonthlyWorkplaceSummaryInfoList)
        self = try isOwner ? .owner(MOUPOwnerHome(from: decoder)) : .worker(MOUPWorkerHome(from: decoder))
    }
}
