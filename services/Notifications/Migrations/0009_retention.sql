-- The day on which a conversation was last changed. A day and not an instant: most changes leave the index alone.
ALTER TABLE conversations ADD COLUMN touched_on date NOT NULL DEFAULT CURRENT_DATE;
CREATE INDEX conversations_touched_on_idx ON conversations (touched_on);

CREATE INDEX announcement_marks_announcement_id_idx ON announcement_marks (announcement_id);
CREATE INDEX devices_owned_since_idx ON devices (since) WHERE account_id IS NOT NULL;
