#!/bin/sh
# Prints the version of the Debian package for what git describe prints and the date of
# the commit: debversion.sh v1.2.3-4-gabc1234 20260131. Without a tag it sorts before every
# release, behind one after it.
set -eu
case $1 in
v[0-9]*) printf '%s\n' "$1" | sed 's/^v//; s/-\([0-9]*\)-g/+\1.g/; s/-dirty$/+dirty/; s/-/~/g' ;;
*) printf '0.0~git%s.%s\n' "$2" "$1" | sed 's/-/./g' ;;
esac
