package steps

import (
	"fmt"

	"github.com/gremlind/gremlind/steps/step"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// sum(), min(), max() and mean() reduce numbers; min() and max() take anything that
// compares.
//
//	values("age").sum()  nothing when there is nothing; nulls do not count
//	sum(Scope.local)     of each collection
//
// The type widens as TinkerPop's NumberHelper does: sum() of Ints is an Int until it
// overflows, mean() of whole numbers is a Double.
var (
	sumSpec  = reduceSpec("sum", "SumGlobalStep", "Sums numbers.")
	minSpec  = reduceSpec("min", "MinGlobalStep", "Gives the least object.")
	maxSpec  = reduceSpec("max", "MaxGlobalStep", "Gives the greatest object.")
	meanSpec = reduceSpec("mean", "MeanGlobalStep", "Gives the mean of numbers.")
)

func reduceSpec(name, class, doc string) traversal.Spec {
	return traversal.Spec{
		Name: name, Class: class, Kind: traversal.ReduceStep,
		Doc: doc, Prepare: step.PrepareScoped, Open: openReduce,
	}
}

func openReduce(n *traversal.Node, r *traversal.Run, up traversal.Source) (traversal.Source, error) {
	name := n.Name()
	if !n.Data.(step.Scoped).Local {
		return r.Reduce(up, func() traversal.Reducer { return &reduction{name: name} }), nil
	}
	return r.Map(up, func(t *traversal.Traverser) (value.Value, bool, error) {
		red := &reduction{name: name, local: true}
		var err error
		if t.IsNull() {
			err = red.add(t.Value, 1)
		}
		if err == nil {
			err = step.Members(r, t.Value, func(v value.Value) error { return red.add(v, 1) })
		}
		if err != nil {
			return value.Null, false, err
		}
		return red.Result()
	}), nil
}

// reduction is the state of one sum(), min(), max() or mean().
//
// Tolerates: labels and side effects, of which it sees nothing; bulks multiply. What is not
// a number is refused where it comes in the order of the traversers.
type reduction struct {
	name  string
	local bool // members of one collection
	value value.Value
	count int64
	some  bool // something came, if only null
}

// AddBatch implements traversal.Reducer.
func (s *reduction) AddBatch(b *traversal.Batch) error {
	for i := 0; i < b.Len(); i++ {
		if b.Singles() {
			if i += s.addInts(b.Objects[i:]); i == b.Len() {
				break
			}
		}
		if err := s.add(b.Objects[i], b.Bulk(i)); err != nil {
			return err
		}
	}
	return nil
}

// addInts adds the Ints that objs begins with to a sum of Ints while that stays one,
// and returns how many they were.
func (s *reduction) addInts(objs []value.Value) int {
	if s.name != "sum" || s.count == 0 || s.value.Kind() != value.KindInt {
		return 0
	}
	sum, n := s.value.Int64(), 0
	for ; n < len(objs) && objs[n].Kind() == value.KindInt; n++ {
		next := sum + objs[n].Int64()
		if next != int64(int32(next)) {
			break
		}
		sum = next
	}
	s.value = value.Int(int32(sum))
	s.count += int64(n)
	return n
}

func (s *reduction) add(v value.Value, bulk int64) error {
	some := s.some
	s.some = true
	var err error
	switch s.name {
	case "min":
		s.value, err = least(some, s.value, v, value.Min)
		return err
	case "max":
		s.value, err = least(some, s.value, v, value.Max)
		return err
	}
	if v.IsNull() {
		return nil
	}
	if !v.Kind().IsNumber() {
		return fmt.Errorf("class %s cannot be cast to class java.lang.Number", v.Kind().JavaClass())
	}
	switch {
	case s.name == "mean" && !s.local: // in the type of a product with a Long
		v, err = value.Mul(v, value.Long(bulk))
	case s.name == "mean" && v.Kind() < value.KindLong:
		v = value.Long(v.Int64())
	case bulk != 1:
		v, err = value.Mul(v, narrowed(bulk, v.Kind()))
	}
	if err != nil {
		return err
	}
	if s.count == 0 {
		s.value = v
	} else if s.value, err = value.Add(s.value, v); err != nil {
		return err
	}
	s.count += bulk
	return nil
}

// narrowed is a bulk in the type of what it multiplies, so that the type stays.
func narrowed(n int64, k value.Kind) value.Value {
	switch {
	case k == value.KindByte && int64(int8(n)) == n:
		return value.Byte(int8(n))
	case k <= value.KindShort && int64(int16(n)) == n:
		return value.Short(int16(n))
	case k <= value.KindInt && int64(int32(n)) == n:
		return value.Int(int32(n))
	case k == value.KindFloat:
		return value.Float(float32(n))
	case k == value.KindDouble:
		return value.Double(float64(n))
	}
	return value.Long(n)
}

// least folds v into the extreme so far; the first has to be comparable too.
func least(some bool, so, v value.Value, choose func(a, b value.Value) (value.Value, error)) (value.Value, error) {
	if !some {
		so = v
	}
	return choose(so, v)
}

func (s *reduction) Result() (value.Value, bool, error) {
	if !s.some {
		return value.Null, false, nil
	}
	if s.name != "mean" || s.count == 0 {
		return s.value, true, nil
	}
	v, err := value.DivFloat(s.value, value.Long(s.count))
	return v, err == nil, err
}
