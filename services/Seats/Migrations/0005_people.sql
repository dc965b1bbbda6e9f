-- Somebody who has left keeps a row without name and tags, so that nothing that arrives late makes them anew.
ALTER TABLE passengers ADD COLUMN withdrawn_at timestamptz;

-- What passengers say of themselves, in the order of the apps' enum.
CREATE TABLE tags (
    id bigint PRIMARY KEY,
    name text NOT NULL CONSTRAINT tags_name_key UNIQUE
);
INSERT INTO tags (id, name) VALUES
    (1, 'USERTAG_NULL'),
    (2, 'USERTAG_PREGNANT'),
    (3, 'USERTAG_LONGDISTANCE'),
    (4, 'USERTAG_LOWHEALTH'),
    (5, 'USERTAG_DISABLED'),
    (6, 'USERTAG_CARRIER');

-- Where a passenger said to be riding, for an app that starts again.
CREATE TABLE riding_statuses (
    account_id bigint CONSTRAINT riding_statuses_pkey PRIMARY KEY REFERENCES passengers,
    train_code text CONSTRAINT riding_statuses_train_code_check CHECK (char_length(train_code) <= 32),
    car_code text CONSTRAINT riding_statuses_car_code_check CHECK (char_length(car_code) <= 32),
    seat_section text CONSTRAINT riding_statuses_seat_section_check CHECK (char_length(seat_section) <= 32),
    seat_id_requested bigint CONSTRAINT riding_statuses_seat_id_requested_check CHECK (seat_id_requested > 0)
);

-- What passengers hold against each other. When the reported person leaves, who it was and what was said of them go.
CREATE TABLE reports (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reporter_id bigint NOT NULL REFERENCES passengers,
    reported_id bigint REFERENCES passengers,
    reason text NOT NULL CONSTRAINT reports_reason_check CHECK (char_length(reason) <= 1000),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT reports_reported_id_check CHECK (reported_id <> reporter_id)
);
-- The same report twice is one.
CREATE UNIQUE INDEX reports_reporter_id_reported_id_reason_key ON reports (reporter_id, reported_id, md5(reason));
CREATE INDEX reports_reported_id_idx ON reports (reported_id);

-- Named pairs of stations of one line.
CREATE TABLE favorites (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES passengers,
    name text NOT NULL CONSTRAINT favorites_name_check CHECK (char_length(name) BETWEEN 1 AND 50),
    start_station_id bigint NOT NULL REFERENCES stations,
    end_station_id bigint NOT NULL REFERENCES stations,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT favorites_stations_key UNIQUE (account_id, start_station_id, end_station_id),
    CONSTRAINT favorites_stations_check CHECK (start_station_id <> end_station_id)
);
CREATE INDEX favorites_account_id_idx ON favorites (account_id, id);
