// The bodies that the app decodes; members that it requires are not optional (MOUP contract 1.3).

/// A workplace in a list.
package struct MOUPWorkplaceSummary: Decodable, Sendable {
    package var workplaceId: Int64
    package var workplaceName: String
    package var isShared: Bool
}

/// The workplaces of a user.
package struct MOUPWorkplaces: Decodable, Sendable {
    package var workplaceSummaryInfoList: [MOUPWorkplaceSummary]
}

/// A new workplace.
package struct MOUPWorkplaceID: Decodable, Sendable {
    package var workplaceId: Int64
}

/// How work is paid.
package struct MOUPSalary: Decodable, Sendable {
    package var salaryType: String
    package var salaryCalculation: String
    package var hourlyRate: Int?
    package var fixedRate: Int?
    package var salaryDate: Int?
    package var salaryDay: String?
    package var hasNationalPension: Bool
    package var hasHealthInsurance: Bool
    package var hasEmploymentInsurance: Bool
    package var hasIndustrialAccident: Bool
    package var hasIncomeTax: Bool
    package var hasHolidayAllowance: Bool
    package var hasNightAllowance: Bool
}

/// The page of a workplace, by role.
package struct MOUPWorkplace: Decodable, Sendable {
    package var workplaceId: Int64
    package var workplaceName: String
    package var categoryName: String
    package var address: String?
    package var latitude: Double?
    package var longitude: Double?
    package var workerBasedLabelColor: String?
    package var ownerBasedLabelColor: String?
    package var salaryDetailInfo: MOUPSalary?
}

/// A code with which workers join.
package struct MOUPInvite: Decodable, Sendable {
    package var inviteCode: String
    package var returnAlreadyExists: Bool
}

/// The workplace of a code.
package struct MOUPInvited: Decodable, Sendable {
    package var workplaceId: Int64
    package var workplaceName: String
    package var categoryName: String
    package var address: String?
    package var latitude: Double?
    package var longitude: Double?
}

/// A new worker row.
package struct MOUPJoined: Decodable, Sendable {
    package var workplaceId: Int64
    package var workerId: Int64
}

/// A worker in a list.
package struct MOUPWorker: Decodable, Sendable {
    package var workerId: Int64
    package var workerBasedLabelColor: String?
    package var ownerBasedLabelColor: String?
    package var nickname: String
    package var profileImg: String?
}

/// The workers of a workplace.
package struct MOUPWorkers: Decodable, Sendable {
    package var workerSummaryInfoList: [MOUPWorker]
}

/// When a shift was worked.
package struct MOUPAttendance: Decodable, Sendable {
    package var workId: Int64
    package var workDate: String
    package var startTime: String
    package var actualStartTime: String?
    package var endTime: String?
    package var actualEndTime: String?
}

/// The own shifts at a workplace.
package struct MOUPOwnAttendance: Decodable, Sendable {
    package var myWorkAttendanceInfoList: [MOUPAttendance]
}

/// The shifts of a worker.
package struct MOUPWorkerAttendance: Decodable, Sendable {
    package var workplaceId: Int64
    package var workerId: Int64
    package var workerWorkAttendanceInfoList: [MOUPAttendance]
}

/// New shifts.
package struct MOUPShiftIDs: Decodable, Sendable {
    package var workIdList: [Int64]
}

/// Why a worker got no shifts.
package struct MOUPFailure: Decodable, Sendable {
    package var workerId: Int64
    package var nickname: String
    package var reason: String
}

/// Shifts of several workers.
package struct MOUPBatch: Decodable, Sendable {
    package var successWorkIdList: [Int64]
    package var failedWorkerInfoList: [MOUPFailure]
}

/// A shift in a calendar.
package struct MOUPShift: Decodable, Sendable {
    package var workId: Int64
    package var workerSummaryInfo: MOUPWorker
    package var workplaceSummaryInfo: MOUPWorkplaceSummary
    package var workDate: String
    package var startTime: String
    package var endTime: String?
    package var workMinutes: Int64
    package var restTimeMinutes: Int
    package var estimatedNetIncome: Int?
    package var repeatDays: [String]
    package var repeatEndDate: String?
    package var isMyWork: Bool
    package var isEditable: Bool
}

/// The shifts of a calendar.
package struct MOUPShifts: Decodable, Sendable {
    package var workSummaryInfoList: [MOUPShift]
}

/// The page of a shift.
package struct MOUPShiftDetail: Decodable, Sendable {
    package var workId: Int64
    package var workerSummaryInfo: MOUPWorker
    package var workplaceSummaryInfo: MOUPWorkplaceSummary
    package var routineSummaryInfoList: [MOUPRoutineSummary]
    package var workDate: String
    package var startTime: String
    package var actualStartTime: String?
    package var endTime: String?
    package var actualEndTime: String?
    package var restTimeMinutes: Int
    package var workMinutes: Int64
    package var memo: String?
    package var repeatDays: [String]
    package var repeatEndDate: String?
    package var isMyWork: Bool
    package var isEditable: Bool
}
