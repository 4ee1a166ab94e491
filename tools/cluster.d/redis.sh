# The Redis Cluster of a cluster, for tools/cluster: redis-1 to -3 begin as masters, redis-4 to -6 as their replicas.

redis_names() {
    if [[ ${CLUSTER_REDIS:-cluster} == one ]]; then echo redis-1; else printf '%s\n' redis-{1..6}; fi
}

redis_password() { cat "$directory/redis-password"; }

redis_address() {
    if [[ ${CLUSTER_REDIS:-cluster} == one ]]; then
        printf 'redis://:%s@127.0.0.1:%s\n' "$(redis_password)" "$(port_of redis-1)"
    else
        printf 'redis-cluster://:%s@127.0.0.1:%s,127.0.0.1:%s,127.0.0.1:%s\n' "$(redis_password)" \
            "$(port_of redis-1)" "$(port_of redis-2)" "$(port_of redis-3)"
    fi
}

ask_redis() { # NAME COMMAND...
    local name=$1
    shift
    REDISCLI_AUTH=$(redis_password) timeout 5 redis-cli --no-auth-warning -h 127.0.0.1 -p "$(port_of "$name")" "$@" 2>/dev/null
}

answers_ping() { [[ $(ask_redis "$1" ping) == PONG ]]; }
is_master() { [[ $(ask_redis "$1" role | head -n 1) == master ]]; }

has_replica() { ask_redis "$1" info replication | grep -q 'state=online'; } # NAME

cluster_is_whole() { # NAME
    local state
    state=$(ask_redis "$1" cluster info | tr -d '\r')
    [[ $state == *cluster_state:ok* && $state == *cluster_slots_ok:16384* ]]
}

# All six agree on who is who.
every_redis_is_whole() {
    local name
    for name in $(redis_names); do cluster_is_whole "$name" || return 1; done
    [[ $(ask_redis redis-1 cluster nodes | grep -c 'slave.*connected$') == 3 ]]
}

start_redis() {
    local name
    [[ -e $directory/redis-password ]] || random_word >"$directory/redis-password"
    for name in $(redis_names); do launch_redis "$name"; done
    [[ ${CLUSTER_REDIS:-cluster} != one ]] || return 0
    if [[ ! -e $directory/redis-cluster ]]; then
        local addresses=()
        for name in $(redis_names); do addresses+=("127.0.0.1:$(port_of "$name")"); done
        ask_redis redis-1 --cluster create "${addresses[@]}" --cluster-replicas 1 --cluster-yes \
            >"$directory/log/redis-cluster.log" || fail "redis-cli cannot create the cluster: $directory/log/redis-cluster.log"
        : >"$directory/redis-cluster"
    fi
    until_true "all slots have a master and a replica" every_redis_is_whole
}

launch_redis() { # NAME
    local files=$directory/$1
    mkdir -p "$files"
    cat >"$files/redis.conf" <<CONF
bind 127.0.0.1
port $(port_of "$1")
dir "$files"
save ""
appendonly no
requirepass $(redis_password)
masterauth $(redis_password)
maxmemory 256mb
maxmemory-policy allkeys-lru
zset-max-listpack-entries 160
CONF
    [[ ${CLUSTER_REDIS:-cluster} == one ]] || cat >>"$files/redis.conf" <<CONF
cluster-enabled yes
cluster-port $(port_of "bus-${1#redis-}")
cluster-config-file nodes.conf
cluster-node-timeout 5000
cluster-require-full-coverage no
CONF
    spawn "$1" redis-server "$files/redis.conf"
    until_true "$1 answers" answers_ping "$1"
}

# Kills a master, and waits until the replica of its slots is the master of them.
fail_redis() { # NAME
    local name started=$EPOCHREALTIME
    named "$1"
    [[ $1 == redis-* ]] || fail "fail takes the name of a Redis, not $1"
    is_master "$1" || fail "$1 is not a master; 'tools/cluster status' tells which are"
    # A replica that has not been in step with its master does not take over from it.
    until_true "a replica is in step with $1" has_replica "$1"
    kill_server "$1"
    for name in $(redis_names); do [[ $name == "$1" ]] || break; done
    # The slots are whole again only once another node serves them.
    until_true "a replica has taken over" slots_moved "$name" "$(port_of "$1")"
    say "a replica has taken over from $1 after $(seconds_since "$started") s; 'tools/cluster launch $1' brings it back"
}

slots_moved() { # NAME PORT
    cluster_is_whole "$1" && ! ask_redis "$1" cluster nodes | grep ":$2@" | grep -q 'master.*[0-9]-[0-9]*$'
}
