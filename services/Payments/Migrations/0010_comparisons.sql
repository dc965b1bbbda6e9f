-- What PortOne has was compared with what is here, once a day.
CREATE TABLE comparisons (
    -- In Seoul; payments of the days before it are compared, too.
    day date PRIMARY KEY,
    started_at timestamptz(3) NOT NULL,
    finished_at timestamptz(3),
    -- How many payments PortOne had.
    payments integer NOT NULL DEFAULT 0
);

-- Every difference by name.
CREATE TABLE differences (
    day date NOT NULL CONSTRAINT differences_day_fkey REFERENCES comparisons ON DELETE CASCADE,
    imp_uid text NOT NULL,
    kind text NOT NULL,
    ours text,
    theirs text,
    -- Whether it was gone after PortOne's word had been taken in.
    is_mended boolean NOT NULL,
    CONSTRAINT differences_pkey PRIMARY KEY (day, imp_uid, kind)
);
