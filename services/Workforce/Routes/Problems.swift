import Apps
import ServiceKit

extension WorkforceError: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .userNotFound: Problem(.accountGone, message: "가입을 마친 사용자가 아닙니다.")
        case .forbidden: Problem(.forbidden, message: "이 작업을 할 권한이 없습니다.")
        case .workplaceNotFound: Problem(.notFound, code: "WORKPLACE_404", message: "근무지를 찾을 수 없습니다.")
        case .workerNotFound: Problem(.notFound, code: "WORKER_404", message: "근무자를 찾을 수 없습니다.")
        case .wageNotFound: Problem(.notFound, code: "SALARY_404", message: "급여 정보를 찾을 수 없습니다.")
        case .shiftNotFound: Problem(.notFound, code: "WORK_404", message: "근무를 찾을 수 없습니다.")
        case .routineNotFound: Problem(.notFound, code: "ROUTINE_404", message: "루틴을 찾을 수 없습니다.")
        case .undeletable: Problem(.malformed, code: "DELETE_400", message: "삭제할 수 없습니다.")
        case .workplaceNameTaken:
            Problem(.conflict, code: "WORKPLACE_NAME_409", message: "같은 이름의 근무지가 이미 있습니다.")
        case .memberAlready: Problem(.conflict, code: "WORKER_409", message: "이미 등록된 근무지입니다.")
        case .tooManyWorkplaces:
            Problem(
                .malformed,
                code: "WORKPLACE_400",
                message: "근무지는 \(Workplace.limit)개까지 만들 수 있습니다."
            )
        case .workingAlready: Problem(.conflict, code: "WORKING_409", message: "이미 근무 중입니다.")
        case .routineNameTaken:
            Problem(.conflict, code: "ROUTINE_NAME_409", message: "같은 이름의 루틴이 이미 있습니다.")
        case .limit(let what): Problem(.malformed, code: "DATA_LIMIT_400", message: what)
        case .rule(let what): Problem(.malformed, message: what)
        case .field(let what): Problem(.invalid, message: what)
        case .tooManyTries(let seconds):
            Problem(.tooMany, message: "초대 코드를 너무 여러 번 틀렸습니다. 잠시 후 다시 시도하세요.", retryAfter: seconds)
        }
    }
}
