-- Subway lines, under the names and numbers of the arrivals service.
CREATE TABLE lines (
    -- LINE_2, SUIN_BUNDANG
    name text PRIMARY KEY,
    -- 2, 75
    number text NOT NULL CONSTRAINT lines_number_key UNIQUE
);

-- Stops of the lines in running order; a station on two lines is two rows. Ids are those of the public data set's rows,
-- and stay the same for ever.
CREATE TABLE stations (
    id bigint PRIMARY KEY,
    line text NOT NULL REFERENCES lines,
    name text NOT NULL,
    -- From the row before, in seconds and kilometres.
    running_seconds integer NOT NULL,
    distance_km double precision NOT NULL,
    -- From the line's first row.
    total_seconds integer NOT NULL,
    total_km double precision NOT NULL
);
CREATE INDEX stations_line_idx ON stations (line, total_km);
