-- The table need not be read for a page only that no change has touched since it was vacuumed. The default waits for a fifth of
-- the rows.
ALTER TABLE listings SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
