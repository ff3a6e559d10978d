package keyed

// SetBase makes an empty Index one that was reset often.
func SetBase(x *Index, base uint32) {
	x.Grow(indexMin / 2)
	x.base = base
}
