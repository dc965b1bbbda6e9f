-- Who sits where: one passenger to a seat, one seat to a passenger. A lease: it ends with the journey that it belongs to,
-- or at arrives_at when it belongs to none, and never outlives its day.
CREATE TABLE occupancies (
    seat_id bigint CONSTRAINT occupancies_pkey PRIMARY KEY REFERENCES seats,
    account_id bigint NOT NULL CONSTRAINT occupancies_account_id_key UNIQUE,
    journey_id bigint REFERENCES journeys,
    service_date date NOT NULL DEFAULT service_date(),
    since timestamptz NOT NULL DEFAULT now(),
    -- What was paid for it, to be taken back when it is left at once.
    reward bigint NOT NULL DEFAULT 0,
    destination text NOT NULL,
    arrives_at timestamptz NOT NULL
);
CREATE INDEX occupancies_lease_idx ON occupancies (arrives_at) WHERE journey_id IS NULL;
CREATE INDEX occupancies_journey_idx ON occupancies (journey_id);

-- What counts: the rest is about to be swept.
CREATE VIEW live_occupancies AS
    SELECT * FROM occupancies
    WHERE service_date = service_date() AND (journey_id IS NOT NULL OR arrives_at > now());

-- A wish to get somebody's seat, with the credit offered for it in escrow while it is PENDING.
CREATE TABLE yield_requests (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    seat_id bigint NOT NULL REFERENCES seats,
    owner_id bigint NOT NULL,
    requester_id bigint NOT NULL,
    amount bigint NOT NULL CONSTRAINT yield_requests_amount_check CHECK (amount >= 0),
    status text NOT NULL DEFAULT 'PENDING' CONSTRAINT yield_requests_status_check
        CHECK (status IN ('PENDING', 'ACCEPTED', 'REJECTED', 'CANCELLED', 'EXPIRED')),
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    decided_at timestamptz,
    CONSTRAINT yield_requests_parties_check CHECK (owner_id <> requester_id)
);
CREATE UNIQUE INDEX yield_requests_pending_key ON yield_requests (seat_id, requester_id) WHERE status = 'PENDING';
CREATE INDEX yield_requests_latest_idx ON yield_requests (seat_id, requester_id, id DESC);
CREATE INDEX yield_requests_requester_idx ON yield_requests (requester_id) WHERE status = 'PENDING';
CREATE INDEX yield_requests_expiry_idx ON yield_requests (expires_at) WHERE status = 'PENDING';
