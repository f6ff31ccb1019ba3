# Shared by app/run and tests/run (sourced, not run): packages, configuration, build.
# Everything here speaks on stderr: standard output belongs to the program that is started afterwards.

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd -P)
build=$root/build/release

say() { printf 'wobble: %s\n' "$*" >&2; }
fail() { say "$@"; exit 1; }

# packages app|test: the names listed for this purpose, one per line.
packages() {
    local package purpose rest
    while read -r package purpose rest; do
        case $package in '' | '#'*) continue ;; esac
        if [[ $purpose == app || $purpose == "$1" ]]; then echo "$package"; fi
    done <"$root/app/packages.txt"
}

# install_missing app|test: asks dpkg once; apt only hears of it when something is missing.
install_missing() {
    command -v dpkg-query >/dev/null || { say "this is not a Debian system: install what app/packages.txt lists by hand"; return 0; }
    local -a wanted missing=() sudo=()
    local -A installed=()
    local package status found
    wanted=($(packages "$1"))
    ((${#wanted[@]} > 0)) || fail "app/packages.txt cannot be read"
    found=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null)
    while read -r status package; do
        if [[ $status == installed ]]; then installed[$package]=1; fi
    done <<<"$found"
    for package in "${wanted[@]}"; do
        if [[ -z ${installed[$package]:-} ]]; then missing+=("$package"); fi
    done
    if ((${#missing[@]} == 0)); then return 0; fi

    if ((EUID != 0)); then
        command -v sudo >/dev/null || fail "these packages are missing and there is no sudo to install them; as root: apt-get install ${missing[*]}"
        sudo=(sudo)
    fi
    say "installing ${missing[*]}"
    "${sudo[@]}" apt-get update -q >&2 </dev/null || say "apt-get update failed; trying with the package lists that are here"
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 </dev/null ||
        fail "installing the packages failed (see above); once apt works, run this command again"
}

# configure ON|OFF: with or without the tests. Both commands share one build folder, so that neither compiles the engine twice;
# tests once switched on stay on, so that the two never undo each other's configuration.
configure() {
    local cache=$build/CMakeCache.txt fresh=()
    if [[ -f $build/build.ninja ]] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" 2>/dev/null; then
        if [[ $1 == OFF ]] || grep -qx 'WOBBLE_TESTS:BOOL=ON' "$cache"; then return 0; fi
    elif [[ -f $cache ]]; then
        fresh=(--fresh)  # a copied tree, or a configuration that never succeeded
    fi
    say "configuring $build"
    (cd "$root" && cmake --preset release "${fresh[@]}" -DWOBBLE_TESTS="$1") >&2 </dev/null || fail "the configuration failed (see above)"
}

# build [targets]: silent when there is nothing to do; a failure shows the compiler's messages.
build() {
    local -a targets=("$@")
    if ninja -C "$build" -n "${targets[@]}" 2>/dev/null </dev/null | grep -q 'no work to do'; then return 0; fi
    say "building"
    ninja -C "$build" "${targets[@]}" >&2 </dev/null || fail "the build failed (see the compiler's messages above)"
}

# prepare app|test ON|OFF [targets]: the three steps, one run at a time per tree.
prepare() {
    local purpose=$1 tests=$2
    shift 2
    mkdir -p "$build" || fail "cannot create $build: is the folder writable?"
    { exec 9>"$root/build/.lock"; } 2>/dev/null || fail "cannot write $root/build/.lock: make the folder build yours, or remove it"
    flock -n 9 || { say "waiting for another build in this folder"; flock 9; }
    install_missing "$purpose"
    configure "$tests"
    build "$@"
    exec 9>&-
}
