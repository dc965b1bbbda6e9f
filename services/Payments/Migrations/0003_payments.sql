-- What PortOne has told of payments, by its own id, and where the money of each is. Amounts are in the smallest unit of the
-- currency: won for KRW.
CREATE TABLE payments (
    imp_uid text PRIMARY KEY,
    public_id text NOT NULL CONSTRAINT payments_public_id_key UNIQUE,
    merchant_uid text NOT NULL,
    order_id bigint CONSTRAINT payments_order_id_fkey REFERENCES orders,
    status text NOT NULL CONSTRAINT payments_status_check CHECK (status IN ('ready', 'paid', 'cancelled', 'failed')),
    currency text NOT NULL,
    amount bigint NOT NULL,
    paid bigint NOT NULL DEFAULT 0,
    cancelled bigint NOT NULL DEFAULT 0,
    -- To be paid back, as soon as PortOne does it.
    due bigint NOT NULL DEFAULT 0,
    -- Has paid for the order.
    sold bigint NOT NULL DEFAULT 0,
    paid_at timestamptz(3),
    -- Why it does or does not pay for its order; NULL while that is open.
    verdict text,
    decided_at timestamptz(3),
    receipt jsonb NOT NULL,
    created_at timestamptz(3) NOT NULL,
    CONSTRAINT payments_money_check CHECK (
        paid >= 0 AND cancelled >= 0 AND due >= 0 AND sold >= 0 AND paid - cancelled - due - sold >= 0
    ),
    CONSTRAINT payments_verdict_check CHECK ((verdict IS NULL) = (decided_at IS NULL)),
    CONSTRAINT payments_sold_check CHECK (sold = 0 OR (verdict = 'confirmed' AND order_id IS NOT NULL))
);
-- An order is paid for once.
CREATE UNIQUE INDEX payments_confirmed_key ON payments (order_id) WHERE verdict = 'confirmed';
CREATE INDEX payments_order_id_idx ON payments (order_id, created_at DESC);
CREATE INDEX payments_merchant_uid_idx ON payments (merchant_uid);
CREATE INDEX payments_created_at_idx ON payments (created_at);
-- Money of which nobody has said yet what it is for.
CREATE INDEX payments_unclaimed_idx ON payments (paid_at)
    WHERE verdict IS NULL AND order_id IS NULL AND paid > cancelled;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is not allowed: it is only ever added to', TG_OP, TG_TABLE_NAME;
END $$;

-- The ledger. Every movement of money has entries, whose sum is zero; nothing in it changes later.
-- Accounts: clearing (what PortOne holds for us), unallocated (paid, and not decided on), sales, refunds (to be paid back).
CREATE TABLE ledger_transactions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    imp_uid text NOT NULL CONSTRAINT ledger_transactions_imp_uid_fkey REFERENCES payments,
    kind text NOT NULL CONSTRAINT ledger_transactions_kind_check
        CHECK (kind IN ('payment', 'sale', 'refund_due', 'cancellation')),
    currency text NOT NULL,
    at timestamptz(3) NOT NULL
);
CREATE INDEX ledger_transactions_imp_uid_idx ON ledger_transactions (imp_uid);

CREATE TABLE ledger_entries (
    transaction_id bigint NOT NULL CONSTRAINT ledger_entries_transaction_id_fkey REFERENCES ledger_transactions,
    account text NOT NULL CONSTRAINT ledger_entries_account_check
        CHECK (account IN ('clearing', 'unallocated', 'sales', 'refunds')),
    -- Debit above zero, credit below.
    amount bigint NOT NULL CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0),
    CONSTRAINT ledger_entries_pkey PRIMARY KEY (transaction_id, account)
);

-- The entries of a transaction are written by one statement, and balance in it.
CREATE FUNCTION check_ledger_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM added GROUP BY transaction_id HAVING sum(amount) <> 0) THEN
        RAISE EXCEPTION 'the entries of a transaction do not balance' USING ERRCODE = 'check_violation',
            CONSTRAINT = 'ledger_entries_balance_check', TABLE = 'ledger_entries';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER ledger_entries_balance AFTER INSERT ON ledger_entries
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_ledger_balance();
CREATE TRIGGER ledger_entries_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who did what, for whoever has to explain it later.
CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz(3) NOT NULL,
    -- account/7, portone, timer or operator/NAME.
    actor text NOT NULL,
    action text NOT NULL,
    order_code text,
    imp_uid text,
    detail text
);
CREATE INDEX audit_order_code_idx ON audit (order_code, id);
CREATE INDEX audit_imp_uid_idx ON audit (imp_uid, id);
CREATE TRIGGER audit_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
