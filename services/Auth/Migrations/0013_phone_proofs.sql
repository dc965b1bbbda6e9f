-- A proof is valid for the flow, the client and the account for which it was made. Rows of earlier versions have none of
-- them and expire within 15 minutes.
ALTER TABLE phone_proofs ADD COLUMN flow text, ADD COLUMN user_agent text, ADD COLUMN account_id bigint;

-- Seconds in which an empty bucket refills. Adding it to the unlogged table takes no rewrite.
ALTER TABLE allowances ADD COLUMN refill double precision NOT NULL DEFAULT 600;
