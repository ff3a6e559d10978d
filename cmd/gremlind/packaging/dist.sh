#!/bin/sh
# Builds what a release holds into dist/: static binaries, the Debian package, the
# container file with what it copies, and checksums. Needs Go and dpkg-deb.
set -eu
umask 022
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
# The folders of the image with their owner, which a scratch image cannot make: the volume
# belongs to the user that the server runs as.
folders=$(mktemp -d)
trap 'rm -rf "$folders"' EXIT
mkdir -p "$folders/var/lib/gremlind"
tar -C "$folders" -cf dist/folders.tar --owner=65532 --group=65532 --mode=0750 var/lib/gremlind
date=$(git log -1 --format=%cd --date=format:%Y%m%d 2>/dev/null || date -u +%Y%m%d)
sh $packaging/deb.sh dist/gremlind-linux-amd64 "$(sh $packaging/debversion.sh "$version" "$date")" dist
(cd dist && sha256sum -- * >SHA256SUMS)
ls -l dist
