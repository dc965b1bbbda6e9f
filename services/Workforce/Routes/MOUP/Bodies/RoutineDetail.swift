import Apps
import Contracts
import Values

/// A routine with its tasks (MOUP contract 1.3, RoutineDetail).
struct RoutineDetail: Encodable, Equatable {
    var routineId: RoutineID
    var routineName: String
    @Nullable var alarmTime: ClockTime?
    var linkedWorks: [RoutineSummary.LinkedWork]
    var routineTaskList: [Task]

    struct Task: Encodable, Equatable {
        var taskId: RoutineTaskID
        var routineId: RoutineID
        var content: String
        var orderIndex: Int64

        init(_ task: RoutineTask) {
            taskId = task.id
            routineId = task.routine
            content = task.content
            orderIndex = task.order
        }
    }

    init(_ summary: RoutineSummary, tasks: [RoutineTask]) {
        routineId = summary.routineId
        routineName = summary.routineName
        alarmTime = summary.alarmTime
        linkedWorks = summary.linkedWorks
        routineTaskList = tasks.map(Task.init)
    }
}

/// The routines of a shift with their completion (MOUP contract 1.4, call 49).
struct ShiftRoutinesResponse: Encodable, Equatable {
    var routineSummaryInfoList: [Entry]

    struct Entry: Encodable, Equatable {
        var routineId: RoutineID
        var routineName: String
        @Nullable var alarmTime: ClockTime?
        var linkedWorks: [RoutineSummary.LinkedWork]
        var routineTaskList: [Task]
    }

    struct Task: Encodable, Equatable {
        var taskId: RoutineTaskID
        var routineId: RoutineID
        var content: String
        var orderIndex: Int64
        var isCompleted: Bool
    }

    init(_ entries: [ShiftRoutines.Entry]) {
        routineSummaryInfoList = entries.map { entry in
            let summary =
                entry.checklist.map { RoutineSummary(entry.routine, links: $0.links) }
                ?? RoutineSummary(titleOf: entry.routine)
            let tasks = (entry.checklist?.tasks ?? []).map { task, isCompleted in
                Task(
                    taskId: task.id,
                    routineId: task.routine,
                    content: task.content,
                    orderIndex: task.order,
                    isCompleted: isCompleted
                )
            }
            return Entry(
                routineId: summary.routineId,
                routineName: summary.routineName,
                alarmTime: summary.alarmTime,
                linkedWorks: summary.linkedWorks,
                routineTaskList: tasks
            )
        }
    }
}

extension RoutineSummary {
    init(_ routine: Routine, links: [RoutineLink]) {
        self.init(
            routineId: routine.id,
            routineName: routine.name,
            alarmTime: routine.alarmMinute.map(ClockTime.init),
            linkedWorks: links.map { link in
                LinkedWork(workId: link.shift, repeatDays: DayOfWeek.days(link.days))
            }
        )
    }

    /// The summary of a routine for users other than its owner.
    init(titleOf routine: Routine) {
        self.init(routineId: routine.id, routineName: routine.name, alarmTime: nil, linkedWorks: [])
    }
}

extension DayOfWeek {
    /// The weekdays of a bit set, in order; bit 0 is Monday.
    static func days(_ bits: Int) -> [DayOfWeek] {
        Weekdays(rawValue: bits).days.map(DayOfWeek.init)
    }
}
