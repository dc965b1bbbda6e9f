-- The trains that the arrivals service has announced, on whatever line. Only their cars get rows.
CREATE TABLE trains (
    code text PRIMARY KEY,
    sighted_at timestamptz NOT NULL
);
CREATE INDEX trains_sighted_at_idx ON trains (sighted_at);
INSERT INTO trains (code, sighted_at) SELECT train_code, max(seen_at) FROM sightings GROUP BY train_code;

-- The ids of a car's seats follow from its train and code; the identity serves older copies only.
ALTER TABLE cars ADD COLUMN made_at timestamptz NOT NULL DEFAULT now();
