-- A payment has one row, however many webhooks name it: `status` and `cancellation_id` of a webhook are not believed, and
-- are empty in rows of this version.
ALTER TABLE notices
    -- Whether a payment or an order of this service has this imp_uid or merchant_uid.
    ADD COLUMN is_known boolean NOT NULL DEFAULT true;
CREATE INDEX notices_unknown_idx ON notices (due_at) WHERE due_at IS NOT NULL AND NOT is_known;
