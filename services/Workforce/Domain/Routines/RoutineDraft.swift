import Values

/// A new or changed routine, as entered (MOUP contract 1.3, RoutineBody).
struct RoutineDraft: Sendable, Equatable {
    let name: String
    /// Minutes after midnight, in Korea.
    let alarmMinute: Int?
    let tasks: [Task]

    struct Task: Sendable, Equatable {
        var content: String
        var order: Int64
    }

    static let nameLimit = 20
    static let contentLimit = 30

    /// - Throws: `WorkforceError.field`, `.limit`.
    init(name: String, alarmMinute: Int?, tasks: [Task]) throws(WorkforceError) {
        guard TypedText.isValid(name, limit: Self.nameLimit) else {
            throw .field("routineName은 1~\(Self.nameLimit)자여야 합니다.")
        }
        guard tasks.count <= Routine.taskLimit else {
            throw .limit("할 일은 루틴마다 \(Routine.taskLimit)개까지 만들 수 있습니다.")
        }
        guard tasks.allSatisfy({ TypedText.isValid($0.content, limit: Self.contentLimit) }) else {
            throw .field("routineTaskList의 content는 1~\(Self.contentLimit)자여야 합니다.")
        }
        guard Set(tasks.map(\.order)).count == tasks.count else {
            throw .field("routineTaskList의 orderIndex는 서로 달라야 합니다.")
        }
        self.name = name
        self.alarmMinute = alarmMinute
        self.tasks = tasks
    }
}
