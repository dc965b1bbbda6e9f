import FoundationEssentials
import TestKit

@testable import Auth

/// The auth service: decides by `RefreshFamily` as `Sessions` does, and compares with who has obtained and used which
/// tokens, which auth cannot know.
struct SessionAuthority: Sendable {
    /// Milliseconds.
    private static let lifetime: Int64 = 900_000

    private struct Row: Sendable {
        var family = RefreshFamily(expiresAt: .distantFuture)
        /// When the access token of the newest generation expires.
        var expiry: Int64
        var isStolen = false
        /// The newest generation that each client has obtained by a refresh, and that it has used as far as is reported.
        var obtained: [SessionClient.Name: Int] = [:]
        var used: [SessionClient.Name: Int] = [:]
    }

    private var rows: [Row] = []

    /// - Returns: The first tokens of a new session.
    mutating func open(at now: Int64) -> SessionTokens {
        rows.append(Row(expiry: now + Self.lifetime))
        return SessionTokens(session: rows.count - 1, generation: 0, expiry: now + Self.lifetime)
    }

    mutating func steal(_ session: Int) { rows[session].isStolen = true }

    func isStolen(_ session: Int) -> Bool { rows[session].isStolen }
    func hasEnded(_ session: Int) -> Bool { rows[session].family.endReason != nil }
    var endedCount: Int { rows.count { $0.family.endReason != nil } }

    mutating func record(_ uses: [SessionUse], _ defect: SessionModel.Defect?) {
        for use in uses {
            let family = rows[use.session].family
            // As the statement of `SessionStore.noteUses`.
            guard use.generation <= family.generation else { continue }
            rows[use.session].used[use.client] = max(rows[use.session].used[use.client] ?? 0, use.generation)
            guard defect != .ignoresUses else { continue }
            rows[use.session].family.usedGeneration = max(family.usedGeneration, use.generation)
        }
    }

    /// - Returns: The answer, and the promise that it breaks.
    mutating func refresh(
        _ request: SessionRequest,
        _ defect: SessionModel.Defect?,
        _ effects: inout Effects<SessionModel>
    ) -> (SessionAnswer, BrokenPromise?) {
        let session = request.tokens.session
        let verdict = verdict(request, at: Self.date(effects.now), defect)
        effects.note("\(verdict)")
        switch verdict {
        case .rotate, .repeatAnswer:
            let broken = missedTheft(request)
            return (answer(request, isNew: verdict == .rotate, at: effects.now), broken)
        case .reused:
            rows[session].family.endReason = .reused
            return (.refused, rows[session].isStolen ? nil : Self.signedOut(request))
        case .ended, .expired:
            return (.refused, nil)
        }
    }

    private func verdict(
        _ request: SessionRequest,
        at now: Date,
        _ defect: SessionModel.Defect?
    ) -> RefreshFamily.Verdict {
        let family = rows[request.tokens.session].family
        let presented = request.tokens.generation
        let verdict = family.verdict(presented: presented, from: request.origin, now: now)
        switch (defect, verdict) {
        case (.knowsNoRepetition, .repeatAnswer): return .reused
        case (.forgivesReuse, .reused) where presented == family.generation - 1: return .repeatAnswer
        default: return verdict
        }
    }

    private mutating func answer(_ request: SessionRequest, isNew: Bool, at now: Int64) -> SessionAnswer {
        var row = rows[request.tokens.session]
        defer { rows[request.tokens.session] = row }
        let isForwarded = request.kind == .silentRefresh
        var isRenewed = true
        if isNew {
            row.family.rotate(to: request.origin, at: Self.date(now), isForwarded: isForwarded)
        } else {
            row.family.repeatAnswer(to: request.origin, isForwarded: isForwarded)
            isRenewed = row.family.renewAnswer(at: Self.date(now), accessLifetime: Double(Self.lifetime / 1_000))
        }
        if isRenewed { row.expiry = now + Self.lifetime }
        row.obtained[request.client] = row.family.generation
        if isForwarded { row.used[request.client] = row.family.generation }
        return .tokens(
            SessionTokens(session: request.tokens.session, generation: row.family.generation, expiry: row.expiry)
        )
    }

    /// The other party has obtained a successor of the presented tokens, and has used it.
    private func missedTheft(_ request: SessionRequest) -> BrokenPromise? {
        let other: SessionClient.Name = request.client == .thief ? .phone : .thief
        let row = rows[request.tokens.session]
        guard min(row.obtained[other] ?? 0, row.used[other] ?? 0) > request.tokens.generation else { return nil }
        return BrokenPromise(
            "tokens that another party has replaced and used are refused",
            "\(request.client) got new ones for \(request.tokens)"
        )
    }

    private static func signedOut(_ request: SessionRequest) -> BrokenPromise {
        BrokenPromise("nothing but a theft ends a session", "\(request.client) is signed out")
    }

    private static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: 1_800_000_000 + Double(milliseconds) / 1_000)
    }
}
