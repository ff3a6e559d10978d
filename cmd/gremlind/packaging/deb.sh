#!/bin/sh
# Builds the Debian package: deb.sh BINARY VERSION FOLDER. BINARY is of linux/amd64, VERSION
# what debversion.sh prints. Needs dpkg-deb.
set -eu
umask 022
binary=$1
version=$2
out=$3
packaging=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root" # mktemp makes it 0700, and it becomes ./ of the package
install -D -m 0755 "$binary" "$root/usr/bin/gremlind"
install -D -m 0644 "$packaging/gremlind.service" "$root/lib/systemd/system/gremlind.service"
install -D -m 0644 "$packaging/gremlin-server.yaml" "$root/etc/gremlind/gremlin-server.yaml"
install -D -m 0644 "$packaging/../../../LICENSE" "$root/usr/share/doc/gremlind/copyright"
mkdir -p "$root/DEBIAN"
for script in postinst prerm postrm; do
	install -m 0755 "$packaging/$script" "$root/DEBIAN/$script"
done
echo /etc/gremlind/gremlin-server.yaml >"$root/DEBIAN/conffiles"
cat >"$root/DEBIAN/control" <<CONTROL
Package: gremlind
Version: $version
Section: database
Priority: optional
Architecture: amd64
Maintainer: The gremlind authors <gremlind@localhost>
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Description: drop-in Gremlin Server with a durable graph in one binary
 The drivers and the console of Apache TinkerPop 3.8 connect to it unmodified.
CONTROL
dpkg-deb --root-owner-group --build "$root" "$out/gremlind_${version}_amd64.deb"
