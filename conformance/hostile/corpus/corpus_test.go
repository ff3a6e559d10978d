package corpus

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script"
)

// local are the kinds that only the server makes.
var local = map[value.Kind]bool{value.KindExplanation: true, value.KindForeign: true}

// TestKinds has a sample of every kind.
func TestKinds(t *testing.T) {
	for _, k := range Kinds() {
		if v, ok := Sample(k, 1); !ok && !local[k] || ok && v.Kind() != k {
			t.Errorf("the sample of %s is %s", k, v.Kind())
		}
	}
}

// TestReceivers has something to call the methods of every table on.
func TestReceivers(t *testing.T) {
	for table := range script.Builtins() {
		if len(Receivers(table)) == 0 {
			t.Errorf("nothing has the methods of the table %s", table)
		}
	}
}

// collide are values of one kind that a hash may take for the same.
func collide() map[string]func(i int) value.Value {
	all := map[string]func(i int) value.Value{}
	for _, k := range Kinds() {
		if !local[k] {
			all[k.String()] = func(i int) value.Value { v, _ := Sample(k, i); return v }
		}
	}
	tree := func(i int) value.Value {
		inner := &value.Tree{Keys: []value.Value{value.Int(int32(i))}, Children: []*value.Tree{{}}}
		return (&value.Tree{Keys: []value.Value{value.Int(1)}, Children: []*value.Tree{inner}}).Value()
	}
	all["trees alike above"] = tree
	all["labels of paths"] = func(i int) value.Value {
		return (&value.Path{Objects: []value.Value{value.Int(1)}, Labels: [][]string{{Name(i).Str()}}}).Value()
	}
	all["counts of bulk sets"] = func(i int) value.Value {
		s := value.NewBulkSet()
		s.Add(value.Int(1), int64(i)+1)
		return s.Value()
	}
	all["offsets of one instant"] = func(i int) value.Value {
		v, _ := Sample(value.KindOffsetDateTime, 0)
		return value.OffsetDateTime(v.Time().In(value.FixedZone(i%129_600 - 64_800)))
	}
	all["numbers chosen for a hash"] = func(i int) value.Value { return value.Long(int64(chosen(uint64(i)))) }
	return all
}

// chosen is the number whose hash, by a common mixer with known constants, ends in zeros.
func chosen(i uint64) uint64 {
	h := i << 32
	h ^= h>>29 ^ h>>58
	h *= inverse(0xc4ceb9fe1a85ec53)
	h ^= h >> 32
	k := uint64(value.KindLong)
	m := uint64(0xff51afd7ed558ccd)
	return h ^ (k+0x9e3779b97f4a7c15)*m
}

// inverse is 1/a among the odd numbers below 2^64.
func inverse(a uint64) uint64 {
	x := a
	for range 6 {
		x *= 2 - a*x
	}
	return x
}

// TestHash_Spreads: values that differ have hashes that differ, also in the bits that
// tables look at, so that nobody can make a set that is quadratic to read.
func TestHash_Spreads(t *testing.T) {
	const n = 1 << 14
	for name, sample := range collide() {
		began := cputime.Own()
		set := value.NewSet(Many(n, sample)...)
		took := cputime.Own() - began
		if set.Len() < 2*linear {
			continue // there are no more
		}
		full, low := map[uint64]bool{}, map[uint64]bool{}
		mask := uint64(1)<<bits.Len(uint(set.Len())) - 1
		for _, v := range set.Elems() {
			full[value.Hash(v)] = true
			low[value.Hash(v)&mask] = true
		}
		if len(full) < set.Len()-2 || len(low) < set.Len()/2 {
			t.Errorf("%s: %d values have %d hashes, %d in the lowest bits (%v)", name, set.Len(), len(full), len(low), took)
		}
	}
}

// linear is what a set looks through one by one.
const linear = 8

// TestForms makes values in every form.
func TestForms(t *testing.T) {
	for _, f := range Forms {
		v := f.Make(func(i int) value.Value { return value.Int(int32(i)) }, 1000)
		if v.IsNull() {
			t.Error(fmt.Sprint(f.Name, " is nothing"))
		}
	}
}
