import AppClients
import Apps
import FoundationEssentials
import Payroll
import Values

/// Shifts, and what they are paid.
extension Workers {
    private struct ShownPayslip: Decodable {
        var payslip: Payslip
    }

    /// Records a day's work (MOUP contract, call 29). A refusal may be that of a repetition by the gateway.
    func plan(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        guard let shift = known(number).new(&random) else { return }
        let (client, workplace) = (clients[number], workplace)
        let start = SeoulTime.instant(shift.date, minute: shift.start)
        let body: RequestBody = [
            "routineIdList": [], "startTime": .string(start.formatted(.iso8601)),
            "endTime": .string((start + Double(shift.length * 60)).formatted(.iso8601)),
            "restTimeMinutes": .integer(Int64(shift.rest)), "repeatDays": [],
        ]
        let answer = await phones[number].attempt("workforce", cut: cut) {
            try await client.send(\.createShifts, workplace, body: body)
        }
        let id = answer.response.flatMap { JSON(parsing: $0.bytes) }?["workIdList"]?[0]?.integer
        if answer.attempt.outcome == .done, id == nil {
            phones[number].surprise("could not read its shift", answer.attempt)
        }
        change(number) { $0.plan(shift, answer.attempt.outcome, id: id) }
    }

    func unplan(_ number: Int, _ cut: Duration?, _ random: inout SplitMix) async {
        guard let (shift, id) = known(number).any(&random) else { return }
        let client = clients[number]
        let answer = await phones[number].attempt("workforce", cut: cut) { try await client.send(\.deleteShift, id) }
        change(number) { $0.remove(shift, answer.attempt.outcome) }
    }

    /// Reads the payslip of a month.
    func readPay(_ number: Int, of month: CivilMonth, _ cut: Duration?) async {
        let (client, workplace, phone, known) = (clients[number], workplace, phones[number], known(number))
        let answer = await phone.attempt("workforce", cut: cut) {
            try await client.send(\.getOwnPayslip, workplace, month)
        }
        guard answer.attempt.outcome == .done, let response = answer.response else { return }
        guard let shown = try? response.value(ShownPayslip.self).payslip else {
            return phone.surprise("could not read its payslip", answer.attempt)
        }
        let reading = PayslipReading(
            phone.name,
            month,
            shown: PayRecomputation.lines(of: shown),
            shifts: known.there(in: month),
            open: known.open(in: month),
            at: answer.attempt.ended ?? phone.diary.now,
            trace: answer.attempt.trace
        )
        phone.diary.note { $0.payslips.append(reading) }
    }
}
