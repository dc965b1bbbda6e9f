-- The last answer of the arrivals service for each station, which all copies of this service share.
CREATE TABLE arrivals (
    -- The name at the arrivals service.
    station text PRIMARY KEY,
    trains jsonb,
    answered_at timestamptz,
    -- Until then one copy asks, and the others wait for its answer.
    asked_until timestamptz NOT NULL DEFAULT '-infinity'
);

-- One row: the calls of a day in Seoul, the failures in a row, and when the arrivals service is called again.
CREATE TABLE arrival_calls (
    id boolean PRIMARY KEY DEFAULT true CONSTRAINT arrival_calls_id_check CHECK (id),
    day date NOT NULL DEFAULT '-infinity',
    calls integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    retry_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO arrival_calls DEFAULT VALUES;
