-- When a reward was taken back, of which what the credit did not suffice for is owed.
ALTER TABLE rewards ADD COLUMN clawed_back_at timestamptz;
ALTER TABLE passengers ADD COLUMN debt bigint NOT NULL DEFAULT 0 CONSTRAINT passengers_debt_check CHECK (debt >= 0);
