-- The day of service that it is in Seoul: trains after midnight belong to the day before.
CREATE FUNCTION service_date() RETURNS date LANGUAGE sql STABLE AS
$$ SELECT (now() AT TIME ZONE 'Asia/Seoul' - interval '4 hours')::date $$;

-- Where each train of a day was last seen, and where it ends. Train numbers come again every
-- day, and some of one line are also those of another.
CREATE TABLE sightings (
    service_date date NOT NULL DEFAULT service_date(),
    train_code text NOT NULL,
    line text NOT NULL REFERENCES lines,
    -- 0 up or inner, 1 down or outer
    direction smallint NOT NULL CONSTRAINT sightings_direction_check CHECK (direction IN (0, 1)),
    -- As the arrivals service calls it; the id when it is one of ours.
    terminal text NOT NULL,
    terminal_id bigint REFERENCES stations,
    -- The station that it comes to, and in how many seconds after it was seen.
    station_id bigint NOT NULL REFERENCES stations,
    seconds integer NOT NULL CONSTRAINT sightings_seconds_check CHECK (seconds >= 0),
    seen_at timestamptz NOT NULL,
    CONSTRAINT sightings_pkey PRIMARY KEY (service_date, train_code, line)
);
