import AppClients
import Apps
import Contracts
import StackKit

extension Scenario {
    /// The part-time work app: signs in with Google, registers, plays a month of work, withdraws, and restores the
    /// account.
    static let moup = Scenario(
        name: "moup",
        title: "MOUP: a worker and an owner, a month of work and both payslips, an account deleted and brought back"
    ) { programs in
        let worker = MOUPClient(programs.gateway.url, observer: Transcript.print)
        let subject = "\(UInt64.random(in: 0...UInt64.max))"
        try await signIn(worker, subject, "하루", programs, expecting: 201)
        try await worker.step("The person chooses a name and a side.").register("하루", as: "ROLE_WORKER").json()
        try await worker.step("The access token has run out; the app asks for the next pair.").refresh().json()
        let me = try await worker.step("The app shows who is signed in.").profile()
        let owner = MOUPClient(programs.gateway.url, name: "owner", observer: Transcript.print)
        try await signIn(owner, "\(UInt64.random(in: 0...UInt64.max))", "사장", programs, expecting: 201)
        try await owner.step("The person chooses a name and a side.").register("사장", as: "ROLE_OWNER").json()
        try await workMonth(worker: worker, owner: owner)
        try await worker.step("The worker deletes the account.").send(\.withdraw).json()
        try await signIn(worker, subject, "하루", programs, expecting: 200)
        let again = try await worker.step("The account is as it was.").profile()
        guard me["userId"] == again["userId"] else { throw StackError("signing in did not bring the account back") }
    }

    private static func signIn(
        _ client: MOUPClient,
        _ subject: String,
        _ name: String,
        _ programs: Programs,
        expecting status: Int
    ) async throws {
        client.step("The person allows the sign-in at Google.")
        let code = try await programs.outside.googleCode(subject, name: name)
        try await client.step("The app hands Google's code over and gets its own tokens.").signIn(code: code).json(
            status
        )
    }

    /// A month of work: an owner opens a shop, hires and plans shifts, and both see the month's pay, line by line.
    private static func workMonth(worker: MOUPClient, owner: MOUPClient) async throws {
        let shop = try await owner.step("The owner opens a shop.").openWorkplace()
        let code = try await owner.step("The owner asks for a code to hire with; it is good for ten minutes.")
            .inviteCode(shop)
        let id = try await worker.step("The worker joins with the code, and says how the work is paid.").join(code)
        try await owner.step("The owner accepts.").send(\.acceptWorker, shop, id).json(204)
        _ = try await owner.step("The owner plans November: Monday to Friday, nine to six, an hour of break.")
            .planMonth(of: id, at: shop)
        try await worker.step("The worker's calendar has it.")
            .send(\.listOwnShiftsAtWorkplace, shop, query: "baseYearMonth=2025-11").json()
        try await worker.step("The worker clocks in today, without a plan.").send(\.clockIn, shop).json(201)
        try await owner.step("The owner sees who is there.").send(\.getWorker, shop, id).json()
        try await worker.step("The worker clocks out.").send(\.clockOut, shop).json(204)
        let own = try await worker.step("The worker asks what November paid, and why.")
            .send(\.getOwnPayslip, shop, "2025-11").json()
        guard let ownSlip = own["payslip"] else { throw StackError("there is no payslip") }
        for line in PayslipText.lines(ownSlip) { Console.line("      \(line)") }
        let theirs = try await owner.step("The owner asks the same, and what it costs.")
            .send(\.getWorkerPayslip, shop, id, "2025-11").json()
        guard let ownersSlip = theirs["payslip"] else { throw StackError("there is no payslip") }
        for line in PayslipText.lines(ownersSlip, withCosts: true) { Console.line("      \(line)") }
        guard ownSlip == ownersSlip, ownSlip["netIncome"] == 1_725_370 else {
            throw StackError("the payslips are not what the month comes to")
        }
    }
}
