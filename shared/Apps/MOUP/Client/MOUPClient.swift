package import Apps
package import Contracts

/// The MOUP app of one user.
package struct MOUPClient: AppClient {
    package typealias Calls = MOUP

    package let connection: AppConnection

    /// - Parameters:
    ///   - gateway: `http://host:port`.
    ///   - name: The user's name, for the observer's output.
    package init(_ gateway: String, name: String = "", observer: @escaping ClientObserver = { _ in }) {
        connection = AppConnection(gateway, name: name, observer: observer)
    }

    // MARK: Account

    /// The provider of a sign-in.
    package enum Provider: String, Sendable {
        case google = "LOGIN_GOOGLE"
        case apple = "LOGIN_APPLE"
    }

    /// Signs in with an authorization code: 201 for a new user, otherwise 200.
    ///
    /// - Parameter device: The FCM token; empty while the app has none.
    package func signIn(
        _ provider: Provider = .google,
        code: String,
        device: String = ""
    ) async throws -> ClientResponse {
        let answer = try await send(
            \.signIn,
            body: [
                "provider": .string(provider.rawValue), "authCode": .string(code), "username": "",
                "fcmToken": .string(device),
            ]
        )
        if let tokens = try? answer.value(ClientTokens.self) { connection.tokens = tokens }
        return answer
    }

    /// Gets the next pair of tokens.
    package func refresh() async throws -> ClientResponse {
        let token = connection.tokens?.refreshToken ?? ""
        let answer = try await send(\.refreshTokens, body: ["refreshToken": .string(token)])
        if let tokens = try? answer.value(ClientTokens.self) { connection.tokens = tokens }
        return answer
    }

    /// - Parameter role: `ROLE_WORKER` or `ROLE_OWNER`.
    package func register(_ nickname: String, as role: String) async throws -> ClientResponse {
        try await send(\.completeSignUp, body: ["nickname": .string(nickname), "role": .string(role)])
    }

    @discardableResult
    package func profile() async throws -> JSON {
        let profile = try await send(\.getProfile).json()
        connection.userID = "\(try profile.number("userId"))"
        return profile
    }

    /// The user's account; 0 before `profile()`.
    package var account: AccountID { AccountID(connection.userID) ?? AccountID(rawValue: 0) }

    // MARK: Workplaces

    /// Opens a workplace; returns its id.
    package func openWorkplace() async throws -> WorkplaceID {
        let workplace: RequestBody = [
            "workplaceName": "언덕카페", "categoryName": "카페", "address": "서울 마포구", "latitude": 37.55,
            "longitude": 126.92, "ownerBasedLabelColor": "NAVY",
        ]
        let answer = try await send(\.createWorkplace, body: workplace).json(201)
        return WorkplaceID(rawValue: try answer.number("workplaceId"))
    }

    /// A code with which workers join for ten minutes.
    package func inviteCode(_ workplace: WorkplaceID) async throws -> String {
        let answer = try await send(\.createInviteCode, workplace, body: ["forceGenerate": false])
        return try answer.json(201).text("inviteCode")
    }

    /// Asks to join a workplace, with a wage of 10,030 won an hour and both allowances (MOUP contract 3F, S08).
    ///
    /// - Parameters:
    ///   - payDay: Of each month.
    ///   - isInsured: Whether social insurance and income tax are withheld.
    /// - Returns: The worker's id there.
    package func join(_ code: String, payDay: Int = 10, isInsured: Bool = true) async throws -> WorkerID {
        let salary: JSON = [
            "salaryType": "SALARY_MONTHLY", "salaryCalculation": "SALARY_CALCULATION_HOURLY", "hourlyRate": 10030,
            "fixedRate": nil, "salaryDate": .integer(Int64(payDay)), "salaryDay": "MONDAY",
            "hasNationalPension": .bool(isInsured), "hasHealthInsurance": .bool(isInsured),
            "hasEmploymentInsurance": .bool(isInsured), "hasIndustrialAccident": .bool(isInsured),
            "hasIncomeTax": .bool(isInsured), "hasHolidayAllowance": true, "hasNightAllowance": true,
        ]
        let body: RequestBody = [
            "inviteCode": .string(code), "workerBasedLabelColor": "BLUE", "salaryCreateRequest": salary,
        ]
        return WorkerID(rawValue: try await send(\.joinWorkplace, body: body).json(201).number("workerId"))
    }

    // MARK: Shifts

    /// Plans November 2025 for a worker: Monday to Friday, nine to six, an hour of break.
    package func planMonth(of worker: WorkerID, at workplace: WorkplaceID) async throws -> JSON {
        let plan: RequestBody = [
            "workerIdList": [.integer(worker.rawValue)], "startTime": "2025-11-03T00:00:00Z",
            "endTime": "2025-11-03T09:00:00Z", "restTimeMinutes": 60,
            "repeatDays": ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"], "repeatEndDate": "2025-11-28",
        ]
        return try await send(\.createShiftsForWorkers, workplace, body: plan).json(201)
    }
}
