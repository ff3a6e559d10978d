#!/bin/sh
# Builds what a release holds into dist/: static binaries, the Debian package, the
# container file with what it copies, and checksums. Needs Go and dpkg-deb.
set -eu
cd "$(dirname "$0")/../../.."
version=${VERSION:-$(git describe --tags --always --dirty 2>/dev/null || echo dev)}
packaging=cmd/gremlind/packaging
limit=36700160 # 35 MiB, the size that the binary must stay under

rm -rf dist
mkdir -p dist
for target in linux/amd64 linux/arm64 darwin/arm64; do
	out=dist/gremlind-${target%/*}-${target#*/}
	echo "$out"
	CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build -trimpath \
		-ldflags "-s -w -X main.version=$version" -o "$out" ./cmd/gremlind
	size=$(wc -c <"$out")
	if [ "$size" -gt "$limit" ]; then
		echo "$out has $size bytes, more than $limit" >&2
		exit 1
	fi
done
cp $packaging/gremlin-server.yaml $packaging/Containerfile dist/

# Debian versions begin with a digit and know no dashes of ours.
debversion=$(printf '%s' "$version" | sed 's/^v//; s/-/~/g')
case $debversion in [0-9]*) ;; *) debversion=0~$debversion ;; esac
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
install -D -m 0755 dist/gremlind-linux-amd64 "$root/usr/bin/gremlind"
install -D -m 0644 $packaging/gremlind.service "$root/lib/systemd/system/gremlind.service"
install -D -m 0644 $packaging/gremlin-server.yaml "$root/etc/gremlind/gremlin-server.yaml"
install -D -m 0644 LICENSE "$root/usr/share/doc/gremlind/copyright"
mkdir -p "$root/DEBIAN"
echo /etc/gremlind/gremlin-server.yaml >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/control" <<CONTROL
Package: gremlind
Version: $debversion
Section: database
Priority: optional
Architecture: amd64
Maintainer: The gremlind authors <gremlind@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: drop-in Gremlin Server with a durable graph in one binary
 The drivers and the console of Apache TinkerPop 3.8 connect to it unmodified.
CONTROL
dpkg-deb --root-owner-group --build "$root" "dist/gremlind_${debversion}_amd64.deb"
(cd dist && sha256sum -- * >SHA256SUMS)
ls -l dist
