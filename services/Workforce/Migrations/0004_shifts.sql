-- Shifts that repeat. What the apps show of a series follows from the shifts that are still in it, at the days where the
-- rule had placed them.
CREATE TABLE series (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT series_pkey PRIMARY KEY,
    worker_id bigint NOT NULL REFERENCES workers ON DELETE CASCADE,
    -- Weekdays, bit 0 is Monday.
    days smallint NOT NULL CONSTRAINT series_days_check CHECK (days BETWEEN 1 AND 127),
    until date NOT NULL
);
CREATE INDEX series_worker_id_idx ON series (worker_id);

CREATE TABLE shifts (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT shifts_pkey PRIMARY KEY,
    worker_id bigint NOT NULL REFERENCES workers ON DELETE CASCADE,
    workplace_id bigint NOT NULL REFERENCES workplaces,
    series_id bigint REFERENCES series ON DELETE SET NULL,
    -- The day on which the series placed it, also when it was moved.
    series_date date,
    -- The Korean day on which it starts.
    date date NOT NULL,
    -- As planned. Whole seconds, as the client reads them.
    starts_at timestamptz NOT NULL,
    ends_at timestamptz,
    rest_minutes bigint NOT NULL CONSTRAINT shifts_rest_minutes_check CHECK (rest_minutes BETWEEN 0 AND 1440),
    -- As clocked in and out; pay does not follow it.
    started_at timestamptz,
    ended_at timestamptz,
    memo text CONSTRAINT shifts_memo_check CHECK (char_length(memo) <= 200),
    -- The terms that it was recorded under.
    hourly_rate bigint NOT NULL,
    has_night_allowance boolean NOT NULL,
    has_holiday_allowance boolean NOT NULL,
    -- What it earns: kept by the recalculation of its month.
    net_minutes bigint NOT NULL DEFAULT 0,
    night_minutes bigint NOT NULL DEFAULT 0,
    gross_pay bigint NOT NULL DEFAULT 0,
    -- NULL on fixed pay.
    net_pay bigint DEFAULT 0,
    CONSTRAINT shifts_ends_at_check CHECK (ends_at BETWEEN starts_at AND starts_at + interval '24 hours'),
    CONSTRAINT shifts_ended_at_check CHECK (ended_at >= started_at),
    CONSTRAINT shifts_date_check CHECK (date = (starts_at AT TIME ZONE 'Asia/Seoul')::date),
    CONSTRAINT shifts_series_date_check CHECK (series_id IS NULL OR series_date IS NOT NULL)
);
CREATE INDEX shifts_worker_id_date_idx ON shifts (worker_id, date);
CREATE INDEX shifts_series_id_idx ON shifts (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX shifts_date_idx ON shifts (date);

-- Who is at work now: nobody at two places at once.
CREATE TABLE clockings (
    account_id bigint CONSTRAINT clockings_pkey PRIMARY KEY REFERENCES people,
    worker_id bigint NOT NULL REFERENCES workers ON DELETE CASCADE,
    shift_id bigint NOT NULL CONSTRAINT clockings_shift_id_key UNIQUE REFERENCES shifts ON DELETE CASCADE
);
CREATE INDEX clockings_worker_id_idx ON clockings (worker_id);
