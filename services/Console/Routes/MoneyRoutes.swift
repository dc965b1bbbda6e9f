import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The pages about orders, refunds and comparisons with PortOne.
struct MoneyRoutes {
    let domain: ConsoleDomain

    private static let longestQuery = 200

    var money: MoneyReader { domain.money }

    /// `GET /console/money?find=…` or `?state=…&account=…`: the newest orders; an order that was looked for.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let text = request.text("find", limit: Self.longestQuery)
            let state = MoneyPage.states.contains(request.text("state")) ? request.text("state") : nil
            let account = AccountID(request.text("account"))
            async let refunds = visit.answered { try await money.pendingRefunds() }
            async let comparisons = visit.answered { try await money.comparisons() }
            let orders = try await visit.answered {
                text.isEmpty ? try await money.newest(state, of: account) : try await money.find(text)
            }
            if !text.isEmpty, let found = orders?.orders, found.count == 1 {
                return .seeOther("money/orders/\(found[0].id)")
            }
            let page = MoneyPage(
                query: text,
                state: state,
                account: account,
                orders: orders,
                refunds: try await refunds,
                comparisons: try await comparisons,
                language: visit.language
            )
            let silence = orders == nil ? HTML.silence(of: .payments, visit.language) : ""
            return visit.layout.response(visit.language("Money", "돈"), "money", "\(silence)\(page.html)")
        }
    }

    /// `GET /console/money/orders/ID`.
    func order(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let found = try await visit.answered { try await details(context, visit) }
            let title = visit.language("Order", "주문")
            guard let found else {
                return visit.layout.response(title, "money", HTML.silence(of: .payments, visit.language))
            }
            let page = OrderPage(
                details: found,
                visitor: visit.visitor,
                language: visit.language,
                key: PublicID.random().rawValue
            )
            return visit.layout.response("\(title) \(found.order.code)", "money", page.html)
        }
    }

    /// - Throws: `Problem` for an unknown order, `InternalCallError`.
    func details(_ context: AppRequestContext, _ visit: Visit) async throws -> OperatorsAPI.OrderDetails {
        guard let id = context.id("id"), let order = try await money.order(id) else {
            throw Problem(.notFound, message: visit.language("There is no such order.", "그런 주문이 없습니다."))
        }
        return order
    }
}

extension Request {
    /// A text of the query without whitespace around it; empty without one.
    func text(_ name: String, limit: Int = 40) -> String {
        let text = (query(name) ?? "").split { $0.isWhitespace || $0 == "\0" }.joined(separator: " ")
        return String(text.prefix(limit))
    }
}
