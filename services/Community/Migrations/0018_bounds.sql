-- The number of an account's attendances that are older than a year, whose rows are deleted.
CREATE TABLE attendance_totals (
    account_id bigint CONSTRAINT attendance_totals_pkey PRIMARY KEY
        CONSTRAINT attendance_totals_account_id_fkey REFERENCES people,
    days bigint NOT NULL
);
CREATE INDEX attendances_day_idx ON attendances (day);

-- What bounds each table.
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE posts IS 'One row per post; deleted by its author, anonymous after the withdrawal.';
COMMENT ON TABLE comments IS 'Deleted with their post or by their author; anonymous after the withdrawal.';
COMMENT ON TABLE likes IS 'One row per post, kind and account; deleted with the post or by the withdrawal.';
COMMENT ON TABLE post_hashtags IS 'One row per post and hashtag; deleted with the post.';
COMMENT ON TABLE purchases IS 'One row per post and account; deleted with the post, by a refund or by the withdrawal.';
COMMENT ON TABLE reports IS 'One row per subject and account; deleted with the subject or by the withdrawal.';
COMMENT ON TABLE follows IS 'One row per pair of accounts; deleted by unfollowing or by a withdrawal.';
COMMENT ON TABLE favourites IS 'One row per account and event that it likes; deleted by unliking or by the withdrawal.';
COMMENT ON TABLE cultural_events IS 'Replaced by the calendar of the city once a day, by CalendarRefresh.';
COMMENT ON TABLE calendar_refresh IS 'One row.';
COMMENT ON TABLE companion_posts IS 'One row per post; deleted by its author or by the withdrawal.';
COMMENT ON TABLE gallery_items IS 'One row per picture; deleted by its author or by the withdrawal.';
COMMENT ON TABLE attendances IS 'Deleted after a year and counted in attendance_totals, by Attendance.';
COMMENT ON TABLE attendance_totals IS 'One row per account; deleted by its withdrawal.';
COMMENT ON TABLE attendance_pages IS 'Deleted when used, or after expiry when later pages are made, by Attendance.';
COMMENT ON TABLE uploads IS 'Deleted a day after upload unless content refers to them, by Uploads.';
