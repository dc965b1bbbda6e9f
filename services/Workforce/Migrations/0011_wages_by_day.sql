-- A wage applies from a day on, not from the first of a month.
ALTER TABLE wages DROP CONSTRAINT wages_since_check;

-- Shifts under fixed pay had no net pay of their own: they get their share of the month's, by minutes.
UPDATE shifts s SET net_pay = m.net_pay * s.net_minutes / t.minutes
FROM months m JOIN (
    SELECT worker_id, date_trunc('month', date)::date AS month, sum(net_minutes)::bigint AS minutes
    FROM shifts WHERE net_pay IS NULL GROUP BY 1, 2
) t ON t.worker_id = m.worker_id AND t.month = m.month
WHERE s.worker_id = m.worker_id AND s.date >= m.month AND s.date < m.month + interval '1 month'
    AND s.net_pay IS NULL AND t.minutes > 0;
