#!/bin/sh
# Starts PgBouncer before the database of Madang, with one pool for each service. In mode `transaction` it must be version
# 1.21 or later, which knows prepared statements. Settings are variables:
#
#   POSTGRES_HOST, POSTGRES_PORT  the server (postgres, 5432)
#   LISTEN_ADDRESS, LISTEN_PORT   where services connect (0.0.0.0, 6432)
#   POOL_MODE                     transaction or session (transaction)
#   POOL_SIZE                     connections to the server for each service (8, of which the server should allow
#                                 nine times as many)
#   AUTH_DATABASE_PASSWORD, …     the passwords of the services' roles
set -eu
umask 077

folder=${PGBOUNCER_FOLDER:-/tmp/pgbouncer}
mkdir -p "$folder"

for service in auth seats workforce estate community chat payments notifications console; do
    variable=$(echo "$service" | tr '[:lower:]' '[:upper:]')_DATABASE_PASSWORD
    eval "password=\${$variable:-$service}"
    # shellcheck disable=SC2154 # set by eval
    printf '"%s" "%s"\n' "$service" "$(printf %s "$password" | sed 's/"/""/g')"
done >"$folder/users.txt"

cat >"$folder/pgbouncer.ini" <<SETTINGS
[databases]
madang = host=${POSTGRES_HOST:-postgres} port=${POSTGRES_PORT:-5432}

[pgbouncer]
listen_addr = ${LISTEN_ADDRESS:-0.0.0.0}
listen_port = ${LISTEN_PORT:-6432}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = $folder/users.txt
pool_mode = ${POOL_MODE:-transaction}
default_pool_size = ${POOL_SIZE:-8}
max_client_conn = 2000
server_idle_timeout = 60
# A client that waits longer than a request takes has given up.
query_wait_timeout = 15
log_connections = 0
log_disconnections = 0
SETTINGS

# Version 1.21 is the first to know this setting, and the first that can do without sessions.
if [ "${POOL_MODE:-transaction}" = transaction ]; then
    echo "max_prepared_statements = 500" >>"$folder/pgbouncer.ini"
fi

exec pgbouncer "$folder/pgbouncer.ini"
