-- Paths that passengers keep, and journeys on them. PLANNED is a path without a train; a passenger has one ACTIVE journey.
CREATE TABLE journeys (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL,
    start_station_id bigint NOT NULL REFERENCES stations,
    end_station_id bigint NOT NULL REFERENCES stations,
    train_code text,
    status text NOT NULL CONSTRAINT journeys_status_check
        CHECK (status IN ('PLANNED', 'ACTIVE', 'ARRIVED', 'REPLACED', 'EXPIRED')),
    service_date date NOT NULL DEFAULT service_date(),
    created_at timestamptz NOT NULL DEFAULT now(),
    expected_arrival timestamptz NOT NULL,
    ended_at timestamptz,
    -- When the train is looked for next; pushed ahead by whoever takes the check, so that a crash only delays it.
    next_check timestamptz NOT NULL DEFAULT now(),
    -- Whether the train was in the last answer of the arrivals service.
    was_seen boolean NOT NULL DEFAULT false,
    -- How often the arrival was put off because the train was not in sight.
    blind_extensions integer NOT NULL DEFAULT 0,
    CONSTRAINT journeys_train_check CHECK (status = 'PLANNED' OR train_code IS NOT NULL)
);
CREATE UNIQUE INDEX journeys_active_key ON journeys (account_id) WHERE status = 'ACTIVE';
CREATE INDEX journeys_account_idx ON journeys (account_id, id DESC);
CREATE INDEX journeys_check_idx ON journeys (next_check) WHERE status = 'ACTIVE';

-- Seat information that was paid for: once in a journey.
CREATE TABLE unlocks (
    journey_id bigint PRIMARY KEY REFERENCES journeys ON DELETE CASCADE
);
