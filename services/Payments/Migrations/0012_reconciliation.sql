-- Progress of a comparison: it is saved after every page, so that an interrupted comparison is resumed.
ALTER TABLE comparisons
    -- portone: PortOne's payments are compared with ours; payments: ours are compared with the ledger and with PortOne.
    ADD COLUMN step text NOT NULL DEFAULT 'portone'
        CONSTRAINT comparisons_step_check CHECK (step IN ('portone', 'payments')),
    -- The last page of PortOne, or the last imp_uid, that was compared in this step.
    ADD COLUMN cursor text NOT NULL DEFAULT '',
    -- Increases each time a replica takes the comparison; a replica with an earlier lease stops.
    ADD COLUMN lease bigint NOT NULL DEFAULT 0,
    ADD COLUMN leased_until timestamptz(3),
    -- Consecutive failures, and when the next attempt is made.
    ADD COLUMN failures integer NOT NULL DEFAULT 0,
    ADD COLUMN retry_at timestamptz(3);

-- PortOne's payments of a comparison in progress; deleted when it is finished.
CREATE TABLE compared_payments (
    day date NOT NULL CONSTRAINT compared_payments_day_fkey REFERENCES comparisons ON DELETE CASCADE,
    imp_uid text NOT NULL,
    CONSTRAINT compared_payments_pkey PRIMARY KEY (day, imp_uid)
);
