import FoundationEssentials

@testable import Payments

/// PortOne: takes payments, refunds them, and knows the truth.
struct SimulatedPortOne: Sendable {
    struct Row: Sendable {
        var report: PaymentReport
        /// The amounts cancelled at the service's request, and at PortOne's console.
        var byService: Int64 = 0
        var atConsole: Int64 = 0
    }

    private(set) var rows: [ImpUID: Row] = [:]
    /// The payments in the order of their beginning.
    private(set) var list: [ImpUID] = []
    private var codes: [String: [ImpUID]] = [:]

    /// A payment, or the next attempt in the window of one that has failed.
    mutating func pay(_ code: String, _ amount: Int64, at now: Date, succeeds: Bool) -> ImpUID? {
        let failed = codes[code]?.last { rows[$0]?.report.status == .failed }
        guard let impUID = failed ?? ImpUID(rawValue: "imp_\(list.count + 1)") else { return nil }
        let report = PaymentReport(
            impUID: impUID,
            merchantUID: code,
            status: succeeds ? .paid : .failed,
            money: .won(amount),
            cancelledAmount: 0,
            isTest: false,
            paidAt: succeeds ? now : nil,
            receipt: Receipt()
        )
        if failed == nil {
            list.append(impUID)
            codes[code, default: []].append(impUID)
        }
        rows[impUID] = Row(report: report)
        return impUID
    }

    func answer(_ request: PortOneRequest) -> [PaymentReport] {
        switch request {
        case .payment(let impUID): [rows[impUID]?.report].compactMap(\.self)
        case .payments(let code): (codes[code] ?? []).reversed().compactMap { rows[$0]?.report }
        case .cancel: []
        }
    }

    /// Cancels an amount, unless PortOne holds another one than the caller expects.
    ///
    /// - Returns: Whether it has done it.
    mutating func cancel(_ impUID: ImpUID, _ amount: Int64, checksum: Int64?, atConsole: Bool = false) -> Bool {
        guard var row = rows[impUID], row.report.status == .paid, amount > 0 else { return false }
        let held = row.report.held.amount
        guard amount <= held, checksum == nil || checksum == held else { return false }
        row.report.cancelledAmount += amount
        if amount == held { row.report.status = .cancelled }
        if atConsole { row.atConsole += amount } else { row.byService += amount }
        rows[impUID] = row
        return true
    }
}
