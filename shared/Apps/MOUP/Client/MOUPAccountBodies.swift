// The bodies that the app decodes; members that it requires are not optional (MOUP contract 1.3).

/// The answer to a sign-in; a user who has not registered has no role.
package struct MOUPSignIn: Decodable, Sendable {
    package var role: String?
    package var accessToken: String
    package var refreshToken: String
}

/// The answer to the registration.
package struct MOUPRole: Decodable, Sendable {
    package var role: String
}

/// The pair of a refresh.
package struct MOUPTokens: Decodable, Sendable {
    package var accessToken: String
    package var refreshToken: String
}

/// The own profile.
package struct MOUPProfile: Decodable, Sendable {
    package var userId: Int64
    package var username: String?
    package var nickname: String?
    package var profileImg: String?
    package var role: String
    package var createdAt: String
}

/// The changed nickname.
package struct MOUPNickname: Decodable, Sendable {
    package var userId: Int64
    package var nickname: String
}

/// The user whose call had an effect.
package struct MOUPUser: Decodable, Sendable {
    package var userId: Int64
}

/// The account is deleted at this time.
package struct MOUPWithdrawal: Decodable, Sendable {
    package var userId: Int64
    package var deletedAt: String
    package var deleted: Bool
}

/// A notice for all users.
package struct MOUPAnnouncement: Decodable, Sendable {
    package var id: Int64
    package var title: String
    package var content: String?
    package var sentAt: String
}

/// A notice for one user.
package struct MOUPNotification: Decodable, Sendable {
    package var id: Int64
    package var senderId: Int64
    package var receiverId: Int64
    package var title: String
    package var content: String?
    package var sentAt: String
    package var readAt: String?
}

/// A routine in a list.
package struct MOUPRoutineSummary: Decodable, Sendable {
    package var routineId: Int64
    package var routineName: String
    package var alarmTime: String?
}

/// A list of routines.
package struct MOUPRoutineSummaries: Decodable, Sendable {
    package var routineSummaryInfoList: [MOUPRoutineSummary]
}

/// A task of a routine.
package struct MOUPTask: Decodable, Sendable {
    package var taskId: Int64
    package var routineId: Int64
    package var content: String
    package var orderIndex: Int
}

/// The page of a routine.
package struct MOUPRoutineDetail: Decodable, Sendable {
    package var routineId: Int64
    package var routineName: String
    package var alarmTime: String?
    package var routineTaskList: [MOUPTask]
}

/// A new routine.
package struct MOUPRoutineID: Decodable, Sendable {
    package var routineId: Int64
}

/// A shift of today with routines.
package struct MOUPRoutineCount: Decodable, Sendable {
    package var workId: Int64
    package var workplaceSummaryInfo: MOUPWorkplaceSummary
    package var startTime: String
    package var endTime: String?
    package var workMinutes: Int64
    package var routineCount: Int
}

/// The shifts of today with routines.
package struct MOUPRoutinesToday: Decodable, Sendable {
    package var todayWorkRoutineCountList: [MOUPRoutineCount]
}
