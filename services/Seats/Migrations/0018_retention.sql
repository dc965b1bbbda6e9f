-- The net of old transfers takes their place.
ALTER TABLE transfers DROP CONSTRAINT transfers_kind_check;
ALTER TABLE transfers ADD CONSTRAINT transfers_kind_check
    CHECK (kind IN ('REWARD', 'CLAW_BACK', 'UNLOCK', 'ESCROW', 'REFUND', 'YIELD', 'FORFEIT', 'BALANCE')) NOT VALID;

-- What is deleted after some time is found by it.
CREATE INDEX rewards_service_date_idx ON rewards (service_date);
CREATE INDEX revoked_sessions_revoked_at_idx ON revoked_sessions (revoked_at);
