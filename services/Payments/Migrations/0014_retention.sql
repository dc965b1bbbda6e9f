-- When the receipt was emptied; it names the buyer and the card.
ALTER TABLE payments ADD COLUMN receipt_erased_at timestamptz(3);
-- What the deletion of old rows looks for.
CREATE INDEX orders_expired_idx ON orders (updated_at) WHERE state = 'expired';
CREATE INDEX payments_unpaid_idx ON payments (created_at) WHERE paid = 0;
CREATE INDEX payments_receipt_idx ON payments (created_at) WHERE receipt_erased_at IS NULL;
CREATE INDEX audit_at_idx ON audit (at);

-- Rows of the ledger and of the audit still never change, and are deleted only after the time for which the law requires
-- them: ten years for the ledger (Commercial Act, article 33), five for the audit (Act on the Consumer Protection in
-- Electronic Commerce, article 6, and its decree, article 6).
CREATE FUNCTION refuse_early_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    written timestamptz;
BEGIN
    IF TG_TABLE_NAME = 'ledger_entries' THEN
        SELECT at INTO written FROM ledger_transactions WHERE id = OLD.transaction_id;
    ELSE
        written := OLD.at;
    END IF;
    IF written IS NULL OR written > now() - TG_ARGV[0]::interval THEN
        RAISE EXCEPTION 'DELETE of % is not allowed for %', TG_TABLE_NAME, TG_ARGV[0];
    END IF;
    RETURN OLD;
END $$;

DROP TRIGGER ledger_entries_final ON ledger_entries;
CREATE TRIGGER ledger_entries_final BEFORE UPDATE OR TRUNCATE ON ledger_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion('10 years');
DROP TRIGGER ledger_transactions_final ON ledger_transactions;
CREATE TRIGGER ledger_transactions_final BEFORE UPDATE OR TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_kept BEFORE DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion('10 years');
DROP TRIGGER audit_final ON audit;
CREATE TRIGGER audit_final BEFORE UPDATE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_early_deletion('5 years');
