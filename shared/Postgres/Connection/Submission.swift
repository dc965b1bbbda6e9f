/// Statements on their way to the server, with the promise of their answers. They form one implicit transaction.
final class Submission: Sendable {
    let statements: [SQL]
    let answers = Promise<[PostgresResult]>()
    let submitted = ContinuousClock.now

    init(_ statements: [SQL]) {
        self.statements = statements
    }

    func fail(_ error: PostgresError) {
        var error = error
        if error.kind == .refused, statements.count == 1 { error.statement = statements[0].text }
        answers.settle(.failure(error))
    }
}
