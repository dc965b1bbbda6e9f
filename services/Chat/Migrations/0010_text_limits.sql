-- Earlier rows are not checked, since the table may be large: an edit or a deletion makes them fit.
ALTER TABLE messages
    ADD CONSTRAINT messages_content_check CHECK (octet_length(content) <= 65536) NOT VALID,
    ADD CONSTRAINT messages_files_check CHECK (cardinality(files) <= 5) NOT VALID;
