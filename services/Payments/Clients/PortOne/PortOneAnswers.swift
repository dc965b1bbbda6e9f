import FoundationEssentials

/// PortOne's responses, reduced to the fields in use (Anlaka contract 6.1).
enum PortOneAnswers {
    struct Response<Value: Decodable>: Decodable {
        /// 0 for success.
        var code: Int
        var message: String?
        /// nil on failure.
        var value: Value?

        enum CodingKeys: String, CodingKey {
            case code, message
            case value = "response"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            code = try container.decode(Int.self, forKey: .code)
            message = try container.decodeIfPresent(String.self, forKey: .message)
            value = code == 0 ? try container.decodeIfPresent(Value.self, forKey: .value) : nil
        }
    }

    struct Token: Decodable {
        var text: String
        var now: Int64
        var expiresAt: Int64

        enum CodingKeys: String, CodingKey {
            case text = "access_token"
            case now
            case expiresAt = "expired_at"
        }
    }

    struct Prepared: Codable {
        var code: String
        var amount: Double

        enum CodingKeys: String, CodingKey {
            case code = "merchant_uid"
            case amount
        }
    }

    struct Cancel: Encodable {
        var impUID: String
        var amount: Double
        /// The amount that PortOne should still hold.
        var checksum: Double
        var reason: String

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
            case amount, checksum, reason
        }
    }

    struct Page: Decodable {
        var list: [Entry]
        /// Number of the next page; 0 for none.
        var next: Int
    }

    /// A payment in a list. An unreadable one does not fail the whole list.
    struct Entry: Decodable {
        /// `?` when the ID is unreadable, too.
        var impUID: String
        /// nil when it is unreadable.
        var report: PaymentReport?

        init(from decoder: any Decoder) throws {
            let id = try? decoder.container(keyedBy: Payment.CodingKeys.self).decode(String.self, forKey: .impUID)
            impUID = id.map { String($0.filter { $0 != "\0" }.prefix(64)) } ?? "?"
            report = try? Payment(from: decoder).report(or: Unreadable())
        }

        private struct Unreadable: Error {}
    }

    struct Payment: Decodable {
        private var impUID: String
        private var merchantUID: String
        private var status: PaymentReport.Status
        private var amount: Double
        private var cancelAmount: Double?
        private var currency: String
        private var sandbox: Bool?
        private var paidAt: Int64?
        private var receipt: Receipt

        enum CodingKeys: String, CodingKey {
            case impUID = "imp_uid"
            case merchantUID = "merchant_uid"
            case status, amount, currency, sandbox
            case cancelAmount = "cancel_amount"
            case paidAt = "paid_at"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            impUID = try container.decode(String.self, forKey: .impUID)
            merchantUID = try container.decode(String.self, forKey: .merchantUID)
            status = try container.decode(PaymentReport.Status.self, forKey: .status)
            amount = try container.decode(Double.self, forKey: .amount)
            cancelAmount = try container.decodeIfPresent(Double.self, forKey: .cancelAmount)
            currency = try container.decode(String.self, forKey: .currency)
            sandbox = try container.decodeIfPresent(Bool.self, forKey: .sandbox)
            paidAt = try container.decodeIfPresent(Int64.self, forKey: .paidAt)
            receipt = try Receipt(ofPortOne: decoder)
        }

        /// - Throws: `failure` when a field is invalid.
        func report(or failure: some Error) throws -> PaymentReport {
            guard let impUID = ImpUID(rawValue: impUID), !merchantUID.utf8.contains(0), !merchantUID.isEmpty,
                let money = Money(units: amount, currency: currency),
                let cancelled = Money(units: cancelAmount ?? 0, currency: currency)
            else { throw failure }
            return PaymentReport(
                impUID: impUID,
                merchantUID: merchantUID,
                status: status,
                money: money,
                cancelledAmount: cancelled.amount,
                isTest: sandbox ?? false,
                paidAt: paidAt.flatMap { $0 > 0 ? Date(timeIntervalSince1970: Double($0)) : nil },
                receipt: receipt
            )
        }
    }
}

extension Receipt {
    /// Reads all known fields leniently, since they are only displayed. Removes NUL characters, which PostgreSQL cannot
    /// store: buyers supply some of the texts.
    fileprivate init(ofPortOne decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: AnyKey.self)
        for key in Self.textKeys {
            guard let text = try? container.decodeIfPresent(String.self, forKey: AnyKey(key)), !text.isEmpty else {
                continue
            }
            texts[key] = text.utf8.contains(0) ? text.filter { $0 != "\0" } : text
        }
        for key in Self.numberKeys {
            do {
                numbers[key] = try container.decodeIfPresent(Int64.self, forKey: AnyKey(key))
            } catch {
                numbers[key] = (try? container.decode(String.self, forKey: AnyKey(key))).flatMap { Int64($0) }
            }
        }
        for key in Self.flagKeys { flags[key] = try? container.decodeIfPresent(Bool.self, forKey: AnyKey(key)) }
        let started = try? container.decodeIfPresent(Int64.self, forKey: AnyKey("started_at"))
        startedAt = started.flatMap { $0 > 0 ? $0 : nil }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
