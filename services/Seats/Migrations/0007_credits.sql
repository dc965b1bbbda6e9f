-- Every movement of credit, from one holder to another: a double entry in one row, so that both sides are always there and
-- their sum is always zero. Holders are passenger/7, escrow/12 (of a yield request) and house.
CREATE TABLE transfers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CONSTRAINT transfers_kind_check
        CHECK (kind IN ('REWARD', 'CLAW_BACK', 'UNLOCK', 'ESCROW', 'REFUND', 'YIELD', 'FORFEIT')),
    debit text NOT NULL,
    credit text NOT NULL,
    amount bigint NOT NULL CONSTRAINT transfers_amount_check CHECK (amount > 0),
    at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT transfers_holders_check CHECK (debit <> credit)
);
CREATE INDEX transfers_debit_idx ON transfers (debit);
CREATE INDEX transfers_credit_idx ON transfers (credit);

-- The two entries of each transfer. A holder's balance is the sum of its entries; passengers.credit is kept beside it.
CREATE VIEW ledger_entries AS
    SELECT id AS transfer_id, debit AS holder, -amount AS amount FROM transfers
    UNION ALL
    SELECT id, credit, amount FROM transfers;

-- What was paid for telling where one sits: once for a passenger, train and day, or it could be earned without end by
-- sitting down again.
CREATE TABLE rewards (
    account_id bigint NOT NULL,
    train_code text NOT NULL,
    service_date date NOT NULL DEFAULT service_date(),
    PRIMARY KEY (account_id, train_code, service_date)
);
