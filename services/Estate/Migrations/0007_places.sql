-- What Kakao has answered to questions for places.
CREATE TABLE place_answers (
    -- What was asked, spelled one way.
    question text NOT NULL CONSTRAINT place_answers_pkey PRIMARY KEY,
    answer jsonb NOT NULL,
    fetched_at timestamptz NOT NULL
);
CREATE INDEX place_answers_fetched_at_idx ON place_answers (fetched_at);

-- How often a listing's region has been asked for, which makes the pauses grow.
ALTER TABLE listings ADD COLUMN region_tries int NOT NULL DEFAULT 0;
