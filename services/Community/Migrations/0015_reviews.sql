-- When the account became known here, which is within seconds of its registration; NULL for accounts before this column.
ALTER TABLE people ADD COLUMN known_since timestamptz;
ALTER TABLE people ALTER COLUMN known_since SET DEFAULT now();
-- Set by an operator: the account's reports hide nothing.
ALTER TABLE people ADD COLUMN reports_ignored boolean NOT NULL DEFAULT false;
ALTER TABLE reports
    -- Whether the report counts towards hiding its subject.
    ADD COLUMN counts boolean NOT NULL DEFAULT true,
    -- When an operator has decided on it.
    ADD COLUMN reviewed_at timestamptz(3);
-- Hidden content, for reviews.
CREATE INDEX posts_hidden_at_idx ON posts (hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX companion_posts_hidden_at_idx ON companion_posts (hidden_at) WHERE hidden_at IS NOT NULL;
CREATE INDEX gallery_items_hidden_at_idx ON gallery_items (hidden_at) WHERE hidden_at IS NOT NULL;
