# The nodes of a cluster, and HAProxy before them, for tools/cluster.

graphd=$(realpath -m "${GRAPHD:-$here/../.build/release/graphd}")

node_url() { printf 'http://127.0.0.1:%s\n' "$(port_of "$1")"; }
balancer_url() { node_url haproxy; }

is_ready() { [[ $(curl -s -o /dev/null -m 5 -w '%{http_code}' "$(node_url "$1")/readyz") == 200 ]]; }
balancer_is_ready() { is_ready haproxy; }

# Commands find the database in the environment, as nodes do.
in_graph() { GRAPHD_DATABASE=$(database_address) "$graphd" "$@"; }

# `graphd demo` fills an empty database, and then serves it.
make_network() {
    serve node-1 demo
    until_true "node-1 has made the sample network" is_ready_or_gone node-1
    is_alive node-1 || fail "node-1 has ended: $(tail -n 3 "$directory/log/node-1.log")"
    until_true "node-1 tells who the reader is" tells_reader
    stop_server node-1
}

tells_reader() {
    sed -n 's/.*You are \(.*\)\. Try:$/\1/p' "$directory/log/node-1.log" | tail -n 1 >"$directory/reader"
    [[ -s $directory/reader ]]
}

start_nodes() {
    local name
    for name in node-1 node-2 node-3; do launch_node "$name"; done
}

is_ready_or_gone() { is_ready "$1" || is_gone "$1"; }

launch_node() { # NAME
    serve "$1" serve
    until_true "$1 is ready" is_ready_or_gone "$1"
    is_alive "$1" || fail "$1 has ended: $(tail -n 3 "$directory/log/$1.log")"
}

# Passwords are in the environment of the node, not in its arguments. CLUSTER_OPTIONS is a list, divided by blanks.
serve() ( # NAME COMMAND
    eval "$(print_environment)"
    # shellcheck disable=SC2086
    spawn "$1" "$graphd" "$2" --data-dir "$directory/$1" --host 127.0.0.1 --port "$(port_of "$1")" \
        --public-url "http://127.0.0.1:$(port_of haproxy)" --trusted-proxies 127.0.0.1 --log-format text \
        ${CLUSTER_OPTIONS:-}
)

launch_haproxy() {
    local name
    {
        cat <<CONF
global
    stats socket $directory/haproxy.sock mode 600 level admin
defaults
    mode http
    timeout connect 2s
    timeout client 75s
    timeout server 75s
    # A request goes to another node if this one accepts no connection. A request that a node may have carried out is never
    # sent again; clients that must not lose it give an idempotency key.
    retries 3
    option redispatch 1
    option forwardfor
frontend clients
    bind 127.0.0.1:$(port_of haproxy)
    http-request del-header Forwarded
    http-request del-header traceparent
    http-request del-header tracestate
    default_backend graphd
backend graphd
    balance roundrobin
    option httpchk GET /readyz
    default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
CONF
        for name in node-1 node-2 node-3; do printf '    server %s 127.0.0.1:%s\n' "$name" "$(port_of "$name")"; done
    } >"$directory/haproxy.cfg"
    spawn haproxy "$(PATH=$PATH:/usr/sbin command -v haproxy)" -q -db -f "$directory/haproxy.cfg"
}

ask_haproxy() { socat -t 5 stdio "unix-connect:$directory/haproxy.sock" <<<"$1"; } # COMMAND

balanced_state() { # NAME
    ask_haproxy 'show stat' 2>/dev/null | awk -F , -v name="$1" '$1 == "graphd" && $2 == name { print $18 }'
}

sessions_of() { # NAME
    ask_haproxy 'show stat' | awk -F , -v name="$1" '$1 == "graphd" && $2 == name { print $5 }'
}

has_no_sessions() { [[ $(sessions_of "$1") == 0 ]]; }
is_up() { [[ $(balanced_state "$1") == UP* ]]; }

set_balanced() { # NAME drain|ready
    named "${1:-}"
    [[ $1 == node-* ]] || fail "$2 takes the name of a node, not $1"
    ask_haproxy "set server graphd/$1 state $2" >/dev/null
}

# What an upgrade does to each node in turn. Streams do not end by themselves: their clients find another node when this
# one stops, so a drain waits only ten seconds for them.
roll_nodes() {
    local name started
    for name in node-1 node-2 node-3; do
        started=$EPOCHREALTIME
        set_balanced "$name" drain
        for _ in {1..100}; do
            ! has_no_sessions "$name" || break
            sleep 0.1
        done
        stop_server "$name"
        launch_node "$name"
        set_balanced "$name" ready
        until_true "HAProxy sends requests to $name" is_up "$name"
        say "$name is restarted after $(seconds_since "$started") s"
    done
}
