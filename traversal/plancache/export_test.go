package plancache

// SamePlan is samePlan, for tests.
var SamePlan = samePlan

// SizeOf is sizeOf, for tests.
var SizeOf = sizeOf

// Hit reports whether the plan comes from the cache.
func (q *Query) Hit() bool { return q.plan == nil }

// Len is the number of shapes kept.
func (c *Cache) Len() int { return c.shapes.Len() }

// SameForm reports whether two forms are of one shape.
func SameForm(f, g *Form) bool { return string(f.key) == string(g.key) }

// Bytes is what the shapes take, about.
func (c *Cache) Bytes() int { return c.shapes.Bytes() }
