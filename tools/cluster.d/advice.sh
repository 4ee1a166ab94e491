# What tools/cluster prints: what to try, and the state of each server.

invite() {
    local token base reader
    base=$(balancer_url)
    reader=$(cat "$directory/reader")
    token=$(in_graph token "$reader" --data-dir "$directory/node-1")
    printf '%s\n' "$token" >"$directory/token"
    cat <<TEXT

Three nodes serve a sample network behind $base. You are $reader. Try, in another terminal:

  export CLUSTER_DIR=$directory${GRAPHD:+ GRAPHD=$graphd}${CLUSTER_REDIS:+ CLUSTER_REDIS=$CLUSTER_REDIS}
  eval "\$($here/cluster environment)"

  curl -s -H "Authorization: Bearer \$(cat $directory/token)" '$base/v1/timelines/home?limit=3'

  curl -s -H "Authorization: Bearer \$(cat $directory/token)" -H 'Content-Type: application/json' \\
    -d '{"caption":"Hello","mediaUrl":"https://media.example/hello.mp4"}' '$base/v1/posts'

  $graphd nodes list --data-dir $directory/node-1

The same of each node: $(node_url node-1), $(node_url node-2), $(node_url node-3).

Then break something and look again:

  $here/cluster status
  $here/cluster kill node-2        # then: launch node-2
  $here/cluster fail redis-1       # then: launch redis-1
  $here/cluster promote            # then: rejoin
  $here/cluster roll               # restarts the nodes one by one, as an upgrade does

docs/operations/cluster.md tells what to expect. Ctrl-C stops everything; the data stays in $directory.
TEXT
}

print_status() {
    local name
    [[ -e $directory/ports ]] || fail "there is no cluster in $directory"
    for name in $(servers); do
        if is_alive "$name"; then
            printf '%-11s %-8s %s\n' "$name" "$(pid_of "$name")" "$(state_of "$name")"
        else
            printf '%-11s %-8s %s\n' "$name" - down
        fi
    done
}

state_of() { # NAME
    case $1 in
        postgres-*) postgres_state "$1" ;;
        redis-*) printf '%s on port %s\n' "$(ask_redis "$1" role | head -n 1 | sed 's/slave/replica/')" "$(port_of "$1")" ;;
        node-*) printf '%s; HAProxy: %s\n' "$(curl -s -m 5 "$(node_url "$1")/readyz" | head -c 300)" "$(balanced_state "$1")" ;;
        seaweedfs) printf 'on port %s\n' "$(port_of seaweedfs)" ;;
        haproxy) printf 'on port %s\n' "$(port_of haproxy)" ;;
    esac
}

postgres_state() { # NAME
    case $(sql "$1" 'SELECT pg_is_in_recovery()') in
        f) has_standby "$1" && echo 'primary, with a synchronous standby' || echo 'primary, WITHOUT a standby' ;;
        t) echo standby ;;
        *) echo 'does not answer' ;;
    esac
}

# Only the owner of the directory can read the passwords in it.
print_environment() {
    [[ -e $directory/redis-password ]] || fail "there is no cluster in $directory"
    printf 'export CLUSTER_DIR=%q GRAPHD_DATABASE=%q GRAPHD_REDIS=%q\n' "$directory" "$(database_address)" "$(redis_address)"
    ! has_media || printf 'export GRAPHD_MEDIA=%q %s\n' "$(media_address)" "$(cat "$directory/media-keys")"
}
