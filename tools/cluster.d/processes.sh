# Processes, ports and files of a cluster, for tools/cluster.

say() { printf 'cluster: %s\n' "$*"; }
fail() {
    printf 'cluster: %s\n' "$*" >&2
    exit 1
}

# Runs a program of PostgreSQL as a user that it accepts, in a directory that this user can enter.
as_user=()
server_user=$(id -un)
if ((EUID == 0)); then
    server_user=nobody
    ! id postgres >/dev/null 2>&1 || server_user=postgres
    as_user=(setpriv "--reuid=$server_user" "--regid=$(id -g "$server_user")" --clear-groups env HOME=/ LC_ALL=C)
fi
as_server() { (cd / && "${as_user[@]}" "$@"); }

choose_directory() {
    directory=$(realpath -m "${CLUSTER_DIR:-data-cluster}")
    mkdir -p "$(dirname "$directory")"
    if ! as_server test -x "$(dirname "$directory")"; then
        directory=/var/tmp/graphd-cluster-$(printf '%s' "$directory" | sha256sum | cut -c 1-12)
        say "The user $server_user cannot enter the place of the directory, so all files are in $directory."
    fi
    if [[ ! -e $directory ]]; then mkdir -m 711 "$directory"; fi
    [[ -d $directory && ! -L $directory && -O $directory ]] || fail "$directory is not a directory of yours"
    chmod 711 "$directory"
    # The path of a Unix socket has at most 107 bytes.
    sockets=$directory/sockets
    if ((${#sockets} > 80)); then sockets=/tmp/graphd-cluster-$(printf '%s' "$directory" | sha256sum | cut -c 1-12); fi
    own "$sockets" "$server_user"
    mkdir -p "$directory/log" "$directory/pid"
}

# Creates a directory of a user, or refuses one of somebody else.
own() { # DIRECTORY USER
    if [[ ! -e $1 ]]; then
        mkdir -m 700 "$1"
        ((EUID != 0)) || chown "$2" "$1"
    fi
    [[ -d $1 && ! -L $1 && $(stat -c %U "$1") == "$2" ]] || fail "$1 is not a directory of the user $2"
}

# Ports stay the same for the life of the directory, since the nodes of a Redis Cluster remember each other's.
choose_ports() {
    local name
    if [[ ! -e $directory/ports ]]; then
        for name in haproxy node-1 node-2 node-3 redis-{1..6} bus-{1..6} seaweedfs weed-master weed-volume weed-filer; do
            printf '%s %s\n' "$name" "$(free_port)"
        done >"$directory/ports.new"
        mv "$directory/ports.new" "$directory/ports"
    fi
    while read -r name port; do
        ! is_listening "$port" || fail "port $port of $name is in use; its program must end first, or remove $directory"
    done <"$directory/ports"
}

port_of() { awk -v name="$1" '$1 == name { print $2 }' "$directory/ports"; }

is_listening() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Below the range from which the system takes the ports of connections.
free_port() {
    local port
    while :; do
        port=$((10000 + RANDOM % 20000))
        if ! is_listening "$port" && ! grep -qs " $port\$" "$directory/ports.new"; then break; fi
    done
    printf '%s\n' "$port"
}

random_word() { head -c 24 /dev/urandom | base64 | tr -d '+/='; }

# Waits for an event, at most ten minutes: machines may be busy.
until_true() { # WHAT COMMAND...
    local what=$1
    shift
    for _ in {1..6000}; do
        ! "$@" || return 0
        sleep 0.1
    done
    fail "waited ten minutes in vain until $what; the logs are in $directory/log"
}

# The state of a process, and much else; its start is number 20.
stat_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null; } # PID

# A process is known by its id and its start, so that another one that got its id later is left alone.
started_at() { stat_of "$1" | cut -d ' ' -f 20; } # PID

record_pid() { # NAME PID
    printf '%s %s\n' "$2" "$(started_at "$2")" >"$directory/pid/$1"
}

pid_of() { cut -d ' ' -f 1 "$directory/pid/$1" 2>/dev/null; }

is_alive() { # NAME
    local pid start stat
    read -r pid start 2>/dev/null <"$directory/pid/$1" || return 1
    # One look for both: a dead process that has not been buried yet may be gone at the next.
    read -ra stat <<<"$(stat_of "$pid")"
    [[ -n $start && ${stat[19]:-} == "$start" && ${stat[0]:-} != Z ]]
}

# Starts a program in a session of its own. Its output goes to a log, and nothing holds the lock of the cluster.
spawn() { # NAME COMMAND...
    local name=$1
    shift
    ! is_alive "$name" || fail "$name runs already (process $(pid_of "$name"))"
    (cd / && exec setsid "$@" </dev/null >>"$directory/log/$name.log" 2>&1 9>&-) &
    record_pid "$name" $!
    # The shell need not say how it ended.
    disown
}

signal_server() { # NAME SIGNAL
    ! is_alive "$1" || kill "-$2" "$(pid_of "$1")" 2>/dev/null || true
}

# The processes of PostgreSQL have sessions of their own.
signal_whole() { # NAME SIGNAL
    is_alive "$1" || fail "$1 does not run"
    pkill "-$2" -P "$(pid_of "$1")" || true
    signal_server "$1" "$2"
}

is_gone() { ! is_alive "$1"; }

stop_server() { # NAME
    is_alive "$1" || return 0
    case $1 in
        # SIGINT is PostgreSQL's fast shutdown.
        postgres-*) signal_server "$1" INT ;;
        *) signal_server "$1" TERM ;;
    esac
    for _ in {1..300}; do
        is_alive "$1" || return 0
        sleep 0.1
    done
    say "$1 has not stopped within 30 s and is killed"
    kill_server "$1"
}

kill_server() { # NAME
    is_alive "$1" || fail "$1 does not run"
    signal_server "$1" KILL
    until_true "$1 is gone" is_gone "$1"
}

# Asks the running tools/cluster to stop everything, or stops what a killed one has left.
stop_cluster() {
    if is_alive supervisor; then
        signal_server supervisor TERM
        until_true "everything has stopped" is_gone supervisor
    else
        stop_all
    fi
}

seconds_since() { # START, of EPOCHREALTIME
    awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'
}
