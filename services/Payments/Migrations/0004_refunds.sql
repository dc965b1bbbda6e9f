-- Money that PortOne is to give back, asked for until it has.
CREATE TABLE refunds (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    imp_uid text NOT NULL CONSTRAINT refunds_imp_uid_fkey REFERENCES payments,
    -- In the smallest unit of the payment's currency.
    amount bigint NOT NULL CONSTRAINT refunds_amount_check CHECK (amount > 0),
    reason text NOT NULL,
    -- What its requester calls it, so that it is made once.
    request_key text CONSTRAINT refunds_request_key_key UNIQUE,
    requested_at timestamptz(3) NOT NULL,
    done_at timestamptz(3),
    due_at timestamptz(3),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    CONSTRAINT refunds_due_at_check CHECK ((done_at IS NULL) = (due_at IS NOT NULL))
);
CREATE INDEX refunds_due_at_idx ON refunds (due_at) WHERE done_at IS NULL;
CREATE INDEX refunds_imp_uid_idx ON refunds (imp_uid, id);
