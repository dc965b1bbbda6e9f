import TestKit

@testable import Auth

/// A gateway: lets calls pass whose access token is valid, and reports them to auth; passes refreshes on.
struct SessionGateway: Sendable {
    /// In memory only.
    private var unreported: [SessionUse] = []
    private var reported: Set<SessionUse> = []
    private var isReporting = false

    mutating func receive(_ request: SessionRequest, _ party: SessionParty, _ effects: inout Effects<SessionModel>) {
        guard request.kind == .call else { return effects.send(.request(request), from: party, to: .auth) }
        guard effects.now < request.tokens.expiry else {
            return effects.send(.answer(request, .expired), from: party, to: .client(request.client))
        }
        note(request.client, request.tokens, party, &effects)
        effects.send(.answer(request, .done), from: party, to: .client(request.client))
    }

    mutating func receive(
        _ answer: SessionAnswer,
        to request: SessionRequest,
        _ party: SessionParty,
        _ defect: SessionModel.Defect?,
        _ effects: inout Effects<SessionModel>
    ) {
        if defect == .takesForwardingForUse, request.kind == .silentRefresh, case .tokens(let tokens) = answer {
            note(request.client, tokens, party, &effects)
        }
        effects.send(.answer(request, answer), from: party, to: .client(request.client))
    }

    private mutating func note(
        _ client: SessionClient.Name,
        _ tokens: SessionTokens,
        _ party: SessionParty,
        _ effects: inout Effects<SessionModel>
    ) {
        let use = SessionUse(client: client, session: tokens.session, generation: tokens.generation)
        guard use.generation > 0, reported.insert(use).inserted else { return }
        unreported.append(use)
        guard !isReporting else { return }
        isReporting = true
        effects.wake(party, after: 50, for: .report)
    }

    mutating func forget(_ uses: [SessionUse]) {
        unreported.removeAll { uses.contains($0) }
    }

    /// Sends what auth has not confirmed.
    mutating func report(_ party: SessionParty, _ effects: inout Effects<SessionModel>) {
        isReporting = !unreported.isEmpty
        guard isReporting else { return }
        effects.send(.uses(unreported), from: party, to: .auth)
        effects.wake(party, after: 2_000, for: .report)
    }
}
