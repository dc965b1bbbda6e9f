-- What bounds each table. The laws are named in the migration "retention".
COMMENT ON TABLE people IS 'One row per account; of a withdrawn one without personal data.';
COMMENT ON TABLE orders IS 'Deleted 90 days after expiry if unpaid, else 10 years after payment, by Retention.';
COMMENT ON TABLE payments IS
    'Deleted after 90 days if nothing was paid, else after 10 years, the receipt after 5 years, by Retention.';
COMMENT ON TABLE ledger_transactions IS 'Deleted with their payment after 10 years, by Retention.';
COMMENT ON TABLE ledger_entries IS 'Deleted with their payment after 10 years, by Retention.';
COMMENT ON TABLE refunds IS 'Deleted with their payment after 10 years, by Retention.';
COMMENT ON TABLE audit IS 'Deleted after 5 years, by Retention.';
COMMENT ON TABLE notices IS 'Deleted when processed, or after 30 days, by Webhooks.';
COMMENT ON TABLE requests IS 'Deleted after a day, by IdempotencyKeys.';
COMMENT ON TABLE checkout_pages IS 'Deleted after expiry when later pages are made, by Checkout.';
COMMENT ON TABLE comparisons IS 'One row per day; deleted after a year, by Retention.';
COMMENT ON TABLE compared_payments IS 'Deleted when the comparison is finished, by Reconciliation.';
COMMENT ON TABLE differences IS 'Deleted with their comparison.';
