-- How often things were done of late, by whom or from where: the key is a keyed hash, so that nobody can be read from it.
-- Not worth a log: what a crash loses is a few minutes of patience.
CREATE UNLOGGED TABLE allowances (
    key bytea PRIMARY KEY,
    tokens double precision NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX allowances_at_idx ON allowances (at);
