-- Somebody who has left keeps a row without anything that was theirs, so that ids are never given out again.
ALTER TABLE accounts ADD COLUMN withdrawn_at timestamptz;
ALTER TABLE accounts ADD CONSTRAINT accounts_withdrawn_check CHECK (
    withdrawn_at IS NULL OR nickname = '' AND num_nonnulls(image, email, phone, introduction, signed_in_at) = 0
);

ALTER TABLE sessions DROP CONSTRAINT sessions_end_reason_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_end_reason_check
    CHECK (end_reason IN ('signed_out', 'reused', 'withdrawn'));
