import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The page about providers, and the bad days of their stand-in.
struct OutsideRoutes {
    let domain: ConsoleDomain

    /// `GET /console/outside`.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let programs = Set(ServiceName.allCases.map(\.rawValue)).union(["gateway", "postgresql"])
            let arrows = try await domain.calls.lastHour().filter { !programs.contains($0.target) }
            let page = OutsidePage(
                arrows: arrows,
                sandbox: try? await sandbox(),
                hasSandbox: domain.sandbox != nil,
                visitor: visit.visitor,
                language: visit.language
            )
            return visit.layout.response(visit.language("Outside", "외부"), "outside", page.html)
        }
    }

    private func sandbox() async throws -> OutsidePage.Sandbox? {
        guard let controls = domain.sandbox else { return nil }
        async let texts = controls.texts()
        async let pushes = controls.pushes()
        async let payments = controls.payments()
        async let trains = controls.trains()
        return OutsidePage.Sandbox(
            faults: try await controls.faults(),
            texts: try await texts,
            pushes: try await pushes,
            payments: try await payments,
            trains: try await trains
        )
    }

    /// `POST /console/outside/faults`: begins a bad day of a provider, or ends it with a count of 0.
    func setFault(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            guard let count = fields["count"].flatMap({ Int($0) }), (0...1000).contains(count) else {
                throw Problem(
                    .invalid,
                    message: visit.language("The number must be from 1 to 1000.", "횟수는 1부터 1000까지입니다.")
                )
            }
            let (provider, kind) = (fields["provider"] ?? "", fields["kind"] ?? "")
            guard provider.wholeMatch(of: /[a-z0-9]{1,20}/) != nil, SandboxControls.kinds.contains(kind) else {
                throw Problem(.invalid, message: visit.language("There is no such bad day.", "그런 장애는 없습니다."))
            }
            let fault = SandboxControls.Fault(provider: provider, kind: kind, count: count)
            let controls = try controls(visit)
            let subject = "\(fault.provider) \(fault.kind)"
            let name = count > 0 ? "begin bad day" : "end bad day"
            try await visit.record(name, on: subject, because: reason, in: domain.operators) {
                if let refusal = try await controls.set(fault) { throw Problem(.invalid, message: refusal) }
                return "\(count)"
            }
            return .seeOther("outside")
        }
    }

    /// `POST /console/outside/webhook`: has PortOne send a payment's webhook once more.
    func sendWebhook(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            guard let payment = fields["payment"], payment.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
                throw Problem(.notFound, message: visit.language("There is no such payment.", "그런 결제가 없습니다."))
            }
            let controls = try controls(visit)
            try await visit.record("send webhook", on: payment, because: reason, in: domain.operators) {
                try await controls.sendWebhook(of: payment).map { "\($0)" } ?? "no answer"
            }
            return .seeOther("outside")
        }
    }

    private func controls(_ visit: Visit) throws(Problem) -> SandboxControls {
        guard let controls = domain.sandbox else {
            throw Problem(.notFound, message: visit.language("There is no sandbox here.", "샌드박스가 없습니다."))
        }
        return controls
    }
}
