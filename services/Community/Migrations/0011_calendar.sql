-- The city's events, as its open data had them at the last refresh: some thousands.
CREATE TABLE cultural_events (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT cultural_events_pkey PRIMARY KEY,
    -- A hash of what makes an event this one.
    event_id text NOT NULL CONSTRAINT cultural_events_event_id_key UNIQUE,
    title text NOT NULL,
    category text NOT NULL,
    district text NOT NULL,
    starts_on date NOT NULL,
    ends_on date NOT NULL,
    is_free boolean NOT NULL,
    latitude double precision,
    longitude double precision,
    -- The city's own fields under its own names.
    fields jsonb NOT NULL,
    -- The refresh that has seen it last.
    refresh bigint NOT NULL
);
CREATE INDEX cultural_events_starts_on_idx ON cultural_events (starts_on DESC, id DESC);

-- When the events are to be fetched again: one row.
CREATE TABLE calendar_refresh (
    id boolean NOT NULL DEFAULT true CONSTRAINT calendar_refresh_pkey PRIMARY KEY
        CONSTRAINT calendar_refresh_id_check CHECK (id),
    due_at timestamptz NOT NULL,
    -- Counts the attempts; who has made the last one may finish it.
    attempt bigint NOT NULL DEFAULT 0,
    -- Attempts since the last that succeeded.
    failures int NOT NULL DEFAULT 0,
    refreshed_at timestamptz
);
INSERT INTO calendar_refresh (due_at) VALUES ('1970-01-01T00:00:00Z');
