# The database of a cluster: postgres-a and postgres-b, of which one is the primary, for tools/cluster.

# The newest version that is installed, in the folders of Debian and Red Hat, or else on the PATH.
postgres_programs() {
    local initdb
    initdb=$(printf '%s\n' /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb | grep -v '[*]' | sort -V | tail -n 1)
    dirname "${initdb:-$(command -v initdb || true)}"
}
programs=$(postgres_programs)
[[ -x $programs/pg_rewind ]] || fail "PostgreSQL is not installed (tools/deps --cluster)"

# Both listen on a Unix socket of the same directory, whose name ends with the port.
postgres_port() { [[ $1 == postgres-a ]] && echo 5432 || echo 5433; }
other_postgres() { [[ $1 == postgres-a ]] && echo postgres-b || echo postgres-a; }
data_of() { printf '%s/%s\n' "$directory" "$1"; }

# libpq tries both, and takes the one that accepts writes.
database_address() {
    local escaped
    escaped=$(printf '%s' "$sockets" | sed 's/%/%25/g; s/ /%20/g; s/&/%26/g; s/?/%3F/g; s/#/%23/g; s/+/%2B/g; s/,/%2C/g')
    printf 'postgres://graphd@/graph?host=%s,%s&port=5432,5433&target_session_attrs=read-write\n' "$escaped" "$escaped"
}

sql() { # NAME STATEMENT
    "$programs/psql" --no-psqlrc -h "$sockets" -p "$(postgres_port "$1")" -U graphd -d postgres -Atqc "$2" 2>/dev/null
}

accepts_connections() { [[ $(sql "$1" 'SELECT 1') == 1 ]]; }
has_standby() { [[ $(sql "$1" "SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')") == 1 ]]; }
streams_to_standby() { [[ $(sql "$1" "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == 1 ]]; }

# The server that accepts writes, as the last promotion has left it.
primary() { cat "$directory/primary"; }
is_standby() { as_server test -e "$(data_of "$1")/standby.signal"; }

start_databases() {
    local main standby
    if [[ ! -e $directory/network ]]; then
        # Nothing yet, or a start that was interrupted before the sample network was complete.
        rm -rf --one-file-system "$directory"/postgres-[ab] "$directory"/node-[123]
        echo postgres-a >"$directory/primary"
        create_primary
        launch_postgres postgres-a
        "$programs/createdb" -h "$sockets" -p 5432 -U graphd graph
        return
    fi
    main=$(primary)
    standby=$(other_postgres "$main")
    launch_postgres "$main"
    if is_standby "$standby"; then
        launch_postgres "$standby"
        wait_for_standby "$main"
    else
        say "$main has no standby until 'tools/cluster rejoin'"
    fi
}

create_primary() {
    local data
    data=$(data_of postgres-a)
    own "$data" "$server_user"
    as_server "$programs/initdb" --pgdata "$data" --username graphd --auth trust --encoding UTF8 --locale C --data-checksums \
        >"$directory/log/initdb.log" 2>&1 || fail "initdb has failed: $(tail -n 3 "$directory/log/initdb.log")"
    as_server tee -a "$data/postgresql.conf" >/dev/null <<CONF
listen_addresses = ''
unix_socket_directories = '$sockets'
unix_socket_permissions = 0700
wal_log_hints = on
wal_keep_size = 256MB
wal_retrieve_retry_interval = 500ms
idle_in_transaction_session_timeout = 10s
include = 'synchronous.conf'
CONF
    name_standbys postgres-a ''
}

# While a primary names standbys, it acknowledges no commit before one of them has it.
name_standbys() { # NAME NAMES
    as_server tee "$(data_of "$1")/synchronous.conf" >/dev/null <<<"synchronous_standby_names = '$2'"
    ! is_alive "$1" || sql "$1" 'SELECT pg_reload_conf()' >/dev/null
}

launch_postgres() { # NAME
    [[ $1 == "$(primary)" ]] || is_standby "$1" ||
        fail "$1 was the primary before $(primary), and both would accept writes; 'tools/cluster rejoin' makes it the standby"
    spawn_postgres "$1"
    until_true "$1 accepts connections" accepts_or_starts_again "$1"
}

spawn_postgres() { # NAME
    spawn "$1" "${as_user[@]}" "$programs/postgres" -D "$(data_of "$1")" -p "$(postgres_port "$1")" -c cluster_name="$1"
}

# A server that was killed a moment ago may still have its process id, beside which a new one refuses to start.
accepts_or_starts_again() { # NAME
    if is_gone "$1"; then spawn_postgres "$1"; fi
    accepts_connections "$1"
}

make_standby() { # NAME PRIMARY
    local data
    data=$(data_of "$1")
    rm -rf --one-file-system "$data"
    own "$data" "$server_user"
    as_server "$programs/pg_basebackup" --pgdata "$data" --checkpoint fast --write-recovery-conf \
        --dbname "host=$sockets port=$(postgres_port "$2") user=graphd" >"$directory/log/basebackup.log" 2>&1 ||
        fail "pg_basebackup has failed: $(tail -n 3 "$directory/log/basebackup.log")"
    launch_postgres "$1"
    wait_for_standby "$2"
}

wait_for_standby() { # PRIMARY
    until_true "the standby follows $1" streams_to_standby "$1"
    name_standbys "$1" '*'
    until_true "the standby of $1 is synchronous" has_standby "$1"
}

# By hand, as an operator does: the former primary must be down for good before another accepts writes.
promote_standby() {
    local standby former started=$EPOCHREALTIME
    former=$(primary)
    standby=$(other_postgres "$former")
    is_standby "$standby" && accepts_connections "$standby" || fail "there is no standby: $standby is down, or must rejoin"
    if is_alive "$former"; then kill_server "$former"; fi
    # Nobody follows the new primary yet. With a third server, its name would stay here.
    name_standbys "$standby" ''
    [[ $(sql "$standby" 'SELECT pg_promote(true, 60)') == t ]] || fail "$standby has not been promoted"
    echo "$standby" >"$directory/primary"
    say "$standby is the primary after $(seconds_since "$started") s; it has no standby until 'tools/cluster rejoin'"
}

rejoin_standby() {
    local main former started=$EPOCHREALTIME
    main=$(primary)
    former=$(other_postgres "$main")
    accepts_connections "$main" || fail "the primary $main does not answer; 'tools/cluster launch $main' starts it"
    ! is_alive "$former" || fail "$former runs already"
    if is_standby "$former"; then
        launch_postgres "$former"
        wait_for_standby "$main"
    else
        rewind "$former" "$main"
    fi
    say "$former is the synchronous standby of $main after $(seconds_since "$started") s"
}

# Takes back what the former primary has written and nobody has acknowledged; or copies everything, if that is not possible.
rewind() { # FORMER PRIMARY
    local data
    data=$(data_of "$1")
    # Until its first checkpoint a new primary has its former timeline on disk, by which pg_rewind would find no difference.
    sql "$2" CHECKPOINT
    if [[ -e $data ]] && as_server "$programs/pg_rewind" --target-pgdata "$data" --write-recovery-conf \
        --source-server "host=$sockets port=$(postgres_port "$2") user=graphd dbname=postgres" >"$directory/log/rewind.log" 2>&1; then
        launch_postgres "$1"
        wait_for_standby "$2"
    else
        say "pg_rewind is not possible, so the database is copied; see $directory/log/rewind.log"
        make_standby "$1" "$2"
    fi
}
