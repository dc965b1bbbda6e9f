-- Which messages are unread, beside how many: the first and the last number of each range. An older copy changes only
-- conversations.unread.
ALTER TABLE conversations
    ADD COLUMN unread_ranges bigint[] NOT NULL DEFAULT '{}',
    -- Messages that were taken back and of which read_through does not tell.
    ADD COLUMN taken_back_ranges bigint[] NOT NULL DEFAULT '{}';

-- Of which messages of its room a push tells; NULL for other pushes, and for those of an older copy.
ALTER TABLE pushes
    ADD COLUMN group_start bigint,
    ADD COLUMN first_message bigint,
    ADD COLUMN last_message bigint;
