# Sourced by bin/quickstart and bin/check: installs what is missing, each thing once, and says so. Starts no service.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
programs=${XDG_CACHE_HOME:-$HOME/.cache}/redlock-chaos/bin
toxiproxy_version=2.12.0
cd "$root"
export PATH="$PATH:$programs:/usr/sbin:/usr/local/go/bin"

say() { printf '==> %s\n' "$*" >&2; }

# Exit 4: the machine lacks what the run needs.
give_up() { printf 'redlock-chaos: %s\n' "$*" >&2; exit 4; }

has() { command -v "$1" >/dev/null 2>&1; }

require_node() {
  has node && has npm || give_up 'Node.js 20.12 or newer with npm is needed. Install it from https://nodejs.org.'
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 12) ? 0 : 1)' ||
    give_up "Node.js 20.12 or newer is needed, and this is $(node --version)."
}

install_node_packages() {
  if [ node_modules/.package-lock.json -nt package-lock.json ]; then return; fi
  say 'Installing Node packages (npm ci)'
  npm ci --no-audit --no-fund --loglevel=error >&2
  touch node_modules/.package-lock.json
}

build() {
  if [ -f dist/.built ] && [ -z "$(find bin src chaos package.json tsconfig.json tsconfig.build.json -newer dist/.built -print -quit)" ]; then return; fi
  say 'Building'
  rm -rf dist
  npm run --silent build >&2
  touch dist/.built
}

redlock_chaos() { node dist/bin/redlock-chaos.js "$@"; }

engine_answers() {
  node --input-type=module -e "const { engineAnswers } = await import('$root/dist/src/infra/docker/engine.js'); process.exit((await engineAnswers()) ? 0 : 1)"
}

# Debian's packages start their service where an init system runs; a temporary policy-rc.d says no.
apt_install() {
  has apt-get || give_up "Install by hand: $* (this is not Debian or Ubuntu)."
  [ "$(id -u)" = 0 ] || give_up "Install by hand, as root: apt-get install $*"
  say "Installing $* (apt-get)"
  local policy=/usr/sbin/policy-rc.d made=
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    made=yes
  fi
  local status=0
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"; } >/dev/null 2>&1 </dev/null || status=$?
  if [ -n "$made" ]; then rm -f "$policy"; fi
  [ "$status" = 0 ] || give_up "apt-get install $* failed: run it by hand to see why."
}

install_redis() { has redis-server || apt_install redis-server; }

# From the PATH, else the release's binary, else built with Go.
install_toxiproxy() {
  if has toxiproxy-server; then return; fi
  mkdir -p "$programs"
  local arch url
  case $(uname -m) in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) arch=$(uname -m) ;; esac
  url=https://github.com/Shopify/toxiproxy/releases/download/v$toxiproxy_version/toxiproxy-server-linux-$arch
  say "Fetching toxiproxy-server $toxiproxy_version"
  if has curl && curl --fail --silent --location --connect-timeout 5 --max-time 120 --output "$programs/toxiproxy-server.part" "$url" 2>/dev/null; then
    chmod +x "$programs/toxiproxy-server.part"
    mv "$programs/toxiproxy-server.part" "$programs/toxiproxy-server"
  elif has go; then
    say 'The release cannot be reached: building it with Go (half a minute)'
    local folder
    folder=$(mktemp -d)
    GOBIN=$folder go install "github.com/Shopify/toxiproxy/v2/cmd/server@v$toxiproxy_version" >/dev/null 2>&1 ||
      give_up "go install github.com/Shopify/toxiproxy/v2/cmd/server@v$toxiproxy_version failed: Go 1.23 or newer is needed."
    mv "$folder/server" "$programs/toxiproxy-server"
    rm -rf "$folder"
  else
    give_up "toxiproxy-server $toxiproxy_version is missing, its release cannot be reached, and there is no Go to build it. Put it on the PATH by hand."
  fi
  rm -f "$programs/toxiproxy-server.part"
}
