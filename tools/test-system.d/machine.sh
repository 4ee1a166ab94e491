# A Debian 12 in a directory, started with its systemd like a machine of its own, without a network: for the programs in
# tools/system, which source this file. Needs root, mmdebstrap and systemd-nspawn.

machine='' leader=''

# Makes a Debian 12 with these packages, and a user `ola` who may use sudo.
make_root() { # directory package,...
    local sources=()
    mapfile -t sources < <(find /etc/apt/sources.list.d -name debian.sources)
    # In a namespace of its own, whose mounts end with it. $1 is mmdebstrap's.
    # shellcheck disable=SC2016
    unshare --mount mmdebstrap --quiet --mode=root --variant=apt --include="$2,dbus,procps,sudo,systemd,systemd-sysv" \
        --customize-hook='chroot "$1" useradd --create-home --shell /bin/bash ola' \
        --customize-hook='echo "ola ALL=(ALL) NOPASSWD: ALL" >"$1/etc/sudoers.d/ola"' \
        --customize-hook='echo "APT::Get::Assume-Yes true;" >"$1/etc/apt/apt.conf.d/99yes"' \
        --customize-hook='echo machine >"$1/etc/hostname"; echo "127.0.0.1 localhost machine" >"$1/etc/hosts"' \
        bookworm "$1" "${sources[@]}"
}

# Starts the machine, and waits until its services have started.
boot() { # directory
    local state seen
    systemd-nspawn --quiet --register=no --keep-unit --private-network --console=pipe --directory "$1" --boot \
        </dev/null >"$work/console" 2>&1 &
    machine=$!
    for _ in {1..300}; do
        leader=$(pgrep --parent "$machine" || true)
        seen=/proc/$leader/root
        [[ -z $leader ]] || [[ ! -S $1/run/systemd/private && ! -S $seen/run/systemd/private ]] || break
        kill -0 "$machine" 2>/dev/null || { cat "$work/console"; fail "the machine has not started"; }
        sleep 0.1
    done
    state=$(inside systemctl is-system-running --wait || true)
    [[ $state == running ]] || { inside systemctl --failed --no-pager; fail "the machine is $state"; }
}

# Runs a program in the machine, as root.
inside() {
    nsenter --target "$leader" --all env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        HOME=/root LANG=C.UTF-8 "$@"
}

# Runs a script in the machine, as the operator would in a terminal: in the home directory, until the first error.
operator() { # script
    inside runuser --login ola --command "set -eu; $1"
}

# Stops the machine in order.
halt() {
    [[ -n $machine ]] || return 0
    kill -TERM "$machine" 2>/dev/null || true
    wait "$machine" 2>/dev/null || true
    machine='' leader=''
}
