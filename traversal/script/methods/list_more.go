package methods

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal/script/machine"
)

// moreListMethods are Groovy's and Java's for lists that books use beyond the first need.
func moreListMethods() machine.Methods {
	return machine.Methods{
		"average":      {0, 1, listAverage},
		"collate":      {1, 2, listCollate},
		"combinations": {0, 0, listCombinations},
		"transpose":    {0, 0, listTranspose},
		"permutations": {0, 0, listPermutations},
		"subsequences": {0, 0, listSubsequences},
		"init": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return ends(m, self, 0, 1)
		}},
		"takeRight":       {1, 1, listTakeRight},
		"dropRight":       {1, 1, listDropRight},
		"takeWhile":       {1, 1, listWhile(true)},
		"dropWhile":       {1, 1, listWhile(false)},
		"findIndexOf":     {1, 2, listFindIndex(false)},
		"findLastIndexOf": {1, 1, listFindIndex(true)},
		"findIndexValues": {1, 1, listIndexValues},
		"lastIndexOf":     {1, 1, listLastIndexOf},
		"reverseEach":     {1, 1, listReverseEach},
		"removeAll":       {1, 1, changing(listRetain(false))},
		"removeIf":        {1, 1, changing(listRetain(false))},
		"retainAll":       {1, 1, changing(listRetain(true))},
		"removeElement":   {1, 1, changing(listRemoveElement)},
		"removeLast":      {0, 0, changing(listRemoveLast)},
		"replaceAll":      {1, 1, changing(listReplaceAll)},
		"swap":            {2, 2, changing(listSwap)},
		"stream":          {0, 0, StreamOf},
		"asImmutable":     {0, 0, Itself},
		"asUnmodifiable":  {0, 0, Itself},
		"toArray": {0, 1, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Copied(ElemsOf(self))
		}},
		"clone": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.Copied(ElemsOf(self))
		}},
		"disjoint":   {1, 1, listDisjoint},
		"multiply":   operatorMethod("*"),
		"getIndices": {0, 0, listIndices},
		"unique":     {0, 2, changing(listUniqueBy)},
		"toUnique": {0, 1, func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
			return listUniqueBy(m, &machine.List{Elems: ElemsOf(self)}, append([]value.Value{value.Bool(false)}, a...))
		}},
		"reverse":       {0, 1, listReverseIn},
		"isSorted":      {0, 0, listIsSorted},
		"withIndex":     {0, 1, listWithIndexFrom},
		"indexed":       {0, 1, listIndexedFrom},
		"collectNested": {1, 1, collectNested},
		"toListString": {0, 0, func(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(m.String(self)), nil
		}},
		"hashCode":  {0, 0, machine.JavaHashCode},
		"getLast":   {0, 0, listEnd(true)},
		"getFirst":  {0, 0, listEnd(false)},
		"peek":      {0, 0, listEnd(false)},
		"peekFirst": {0, 0, listEnd(false)},
		"peekLast":  {0, 0, listEnd(true)},
		"addFirst":  {1, 1, changing(listPush)},
		"addLast":   {1, 1, changing(listAdd)},
		"offer":     {1, 1, changing(listAdd)},
		"poll":      {0, 0, changing(listPoll)},
		"push":      {1, 1, changing(listPush)},
		"listIterator": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			return machine.Wrap(&machine.Iterator{Rest: ElemsOf(self)}), nil
		}},
		"shuffled": {0, 1, listShuffled(false)},
		"shuffle":  {0, 1, listShuffled(true)},
	}
}

// gather makes a list of the elements for which make says so, of what it makes of them.
func gather(m *machine.Machine, elems []value.Value, make func(i int, e value.Value) (value.Value, bool, error)) (value.Value, error) {
	var out []value.Value
	for i, e := range elems {
		v, ok, err := make(i, e)
		if err == nil {
			err = m.Charge(machine.ValueBytes)
		}
		if err != nil {
			return value.Null, err
		}
		if ok {
			out = append(out, v)
		}
	}
	return machine.NewList(out), nil
}

// ends leaves out so many elements at the front and at the back.
func ends(m *machine.Machine, self value.Value, front, back int64) (value.Value, error) {
	n := int64(len(ElemsOf(self)))
	if n == 0 {
		return value.Null, machine.Fail(machine.NoSuchElement, "Cannot access init() for an empty iterable")
	}
	return cut(m, self, front, n-back)
}

func listAverage(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	total, err := sum(m, self, a)
	if err != nil || total.IsNull() {
		return total, err
	}
	return m.Binary("/", total, value.Int(int32(len(ElemsOf(self)))))
}

// listCollate cuts into lists of n elements; the last may be shorter unless told.
func listCollate(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	elems, n, keep := ElemsOf(self), value.AsInt64(a[0]), true
	step := n
	if len(a) == 2 && a[1].Kind() == value.KindBool {
		keep = a[1].Bool()
	} else if len(a) == 2 {
		step = value.AsInt64(a[1])
	}
	if n <= 0 || step <= 0 {
		all, err := m.Copied(elems)
		return machine.NewList([]value.Value{all}), err
	}
	var out []value.Value
	for at := int64(0); at < int64(len(elems)); at += min(step, int64(len(elems))) {
		to := min(at+min(n, int64(len(elems))), int64(len(elems)))
		if to-at < n && !keep {
			break
		}
		part, err := m.Copied(elems[at:to])
		if err == nil {
			err = m.Step()
		}
		if err != nil {
			return value.Null, err
		}
		out = append(out, part)
	}
	return machine.NewList(out), nil
}

// listCombinations takes one element of each of its lists, in every way.
func listCombinations(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	out := [][]value.Value{{}}
	for _, part := range ElemsOf(self) {
		if err := m.LooksAt(part); err != nil {
			return value.Null, err
		}
		choices, ok := machine.Collection(part)
		if !ok {
			choices = []value.Value{part}
		}
		var next [][]value.Value
		for _, c := range choices { // the first list turns fastest
			for _, before := range out {
				if err := m.Charge(machine.ValueBytes * (2*len(before) + 4)); err != nil {
					return value.Null, err
				}
				next = append(next, append(append([]value.Value(nil), before...), c))
			}
		}
		out = next
	}
	return lists(m, out)
}

func lists(m *machine.Machine, of [][]value.Value) (value.Value, error) {
	if err := m.Charge(3 * machine.ValueBytes * len(of)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(of))
	for i, elems := range of {
		out[i] = machine.NewList(elems)
	}
	return machine.NewList(out), nil
}

func listTranspose(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	rows := ElemsOf(self)
	if len(rows) == 0 {
		return machine.NewList(nil), nil
	}
	if err := m.Charge(2 * machine.ValueBytes * len(rows)); err != nil {
		return value.Null, err
	}
	width, cells := math.MaxInt, make([][]value.Value, len(rows))
	for i, row := range rows {
		if err := m.LooksAt(row); err != nil {
			return value.Null, err
		}
		cells[i] = ElemsOf(row)
		width = min(width, len(cells[i]))
	}
	var out []value.Value
	for i := range width {
		if err := m.Charge(machine.ValueBytes * (len(rows) + 3)); err != nil {
			return value.Null, err
		}
		column := make([]value.Value, len(rows))
		for j := range cells {
			column[j] = cells[j][i]
		}
		out = append(out, machine.NewList(column))
	}
	return machine.NewList(out), nil
}

// listSubsequences is the set of all lists that leave out some of the elements.
func listSubsequences(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out [][]value.Value
	for _, e := range ElemsOf(self) {
		if err := m.Charge(machine.ValueBytes * (len(out) + 1)); err != nil {
			return value.Null, err
		}
		for _, before := range append([][]value.Value{nil}, out...) {
			if err := m.Charge(machine.ValueBytes * (2*len(before) + 4)); err != nil {
				return value.Null, err
			}
			out = append(out, append(append([]value.Value(nil), before...), e))
		}
	}
	return lists(m, out)
}

func listTakeRight(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	n := int64(len(ElemsOf(self)))
	return cut(m, self, n-max(value.AsInt64(a[0]), 0), n)
}

func listDropRight(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return cut(m, self, 0, int64(len(ElemsOf(self)))-max(value.AsInt64(a[0]), 0))
}

// listWhile takes, or drops, the elements before the first that fails the test.
func listWhile(take bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		elems, n := ElemsOf(self), 0
		for n < len(elems) {
			ok, err := test(m, a, elems[n])
			if err != nil {
				return value.Null, err
			}
			if !ok {
				break
			}
			n++
		}
		if take {
			return m.Copied(elems[:n])
		}
		return m.Copied(elems[n:])
	}
}

func listFindIndex(last bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		from, found := int64(0), -1
		if len(a) == 2 {
			from = value.AsInt64(a[0])
		}
		for i, e := range ElemsOf(self) {
			if int64(i) < from {
				continue
			}
			ok, err := test(m, a[len(a)-1:], e)
			if err != nil {
				return value.Null, err
			}
			if ok {
				found = i
				if !last {
					break
				}
			}
		}
		return value.Int(int32(found)), nil
	}
}

func listIndexValues(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	return gather(m, ElemsOf(self), func(i int, e value.Value) (value.Value, bool, error) {
		ok, err := test(m, a, e)
		return value.Long(int64(i)), ok, err
	})
}

func listLastIndexOf(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := ElemsOf(self)
	for i := len(elems) - 1; i >= 0; i-- {
		if m.Equal(elems[i], a[0]) {
			return value.Int(int32(i)), nil
		}
		if m.Failed != nil {
			break
		}
	}
	return value.Int(-1), m.Surface()
}

func listReverseEach(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := ElemsOf(self)
	for i := len(elems) - 1; i >= 0; i-- {
		if _, err := apply(m, a[0], elems[i]); err != nil {
			return value.Null, err
		}
	}
	return self, nil
}

// listRetain keeps, or removes, what is in a collection or passes a closure.
func listRetain(keep bool) func(*machine.Machine, *machine.List, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
		if err := m.Charge(machine.ValueBytes * len(l.Elems)); err != nil {
			return value.Null, err
		}
		before := len(l.Elems)
		var left []value.Value
		for _, e := range l.Elems {
			in, err := within(m, a[0], e)
			if err == nil {
				err = m.Step()
			}
			if err != nil {
				return value.Null, err
			}
			if in == keep {
				left = append(left, e)
			}
		}
		l.Elems = left
		return value.Bool(len(left) != before), nil
	}
}

// within is a closure's test, or membership of a collection.
func within(m *machine.Machine, of, v value.Value) (bool, error) {
	if s := of.Set(); s != nil {
		return s.Has(m.Export(v)), m.Surface()
	}
	return m.IsCase(of, v)
}

func listRemoveElement(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	for i, e := range l.Elems {
		if m.Equal(e, a[0]) && m.Failed == nil {
			if err := m.Charge(machine.ValueBytes * len(l.Elems)); err != nil {
				return value.Null, err
			}
			l.Elems = append(l.Elems[:i:i], l.Elems[i+1:]...)
			return value.Bool(true), nil
		}
		if m.Failed != nil {
			break
		}
	}
	return value.Bool(false), m.Surface()
}

func listRemoveLast(_ *machine.Machine, l *machine.List, _ []value.Value) (value.Value, error) {
	if len(l.Elems) == 0 {
		return value.Null, machine.Fail(machine.NoSuchElement, "Cannot removeLast() an empty List")
	}
	return l.RemoveAt(len(l.Elems) - 1), nil
}

func listReplaceAll(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	for i := 0; i < len(l.Elems); i++ {
		v, err := apply(m, a[0], l.Elems[i])
		if err != nil {
			return value.Null, err
		}
		if i < len(l.Elems) {
			l.Elems[i] = v
		}
	}
	return value.Null, nil
}

func listSwap(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	x, err := ListGet(m, l.Elems, a[0])
	if err != nil {
		return value.Null, err
	}
	y, err := ListGet(m, l.Elems, a[1])
	if err != nil {
		return value.Null, err
	}
	l.Elems[value.AsInt64(a[0])], l.Elems[value.AsInt64(a[1])] = y, x
	return machine.Wrap(l), nil
}

func listDisjoint(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	for _, e := range ElemsOf(self) {
		in, err := m.IsCase(a[0], e)
		if err != nil || in {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func listIndices(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	n := len(ElemsOf(self))
	if n == 0 {
		return machine.NewList(nil), nil
	}
	return m.MakeRange(value.Int(0), value.Int(int32(n-1)), false)
}

// listUniqueBy keeps the first of equal elements, or of those of which a closure says so;
// false as the first argument leaves the list as it is and returns another.
func listUniqueBy(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	if len(a) > 0 && a[0].Kind() == value.KindBool {
		if !a[0].Bool() {
			l = &machine.List{Elems: l.Elems}
		}
		a = a[1:]
	}
	if len(a) == 0 {
		return listUnique(m, l, nil)
	}
	if err := m.Charge((machine.EntryBytes + machine.ValueBytes) * len(l.Elems)); err != nil {
		return value.Null, err
	}
	var out []value.Value
	seen := value.NewSet()
	for _, e := range l.Elems {
		is, err := isNew(m, a, e, out, seen)
		if err != nil {
			return value.Null, err
		}
		if is {
			out = append(out, e)
		}
	}
	l.Elems = out
	return machine.Wrap(l), nil
}

func isNew(m *machine.Machine, a []value.Value, e value.Value, before []value.Value, seen *value.Set) (bool, error) {
	if c, ok := machine.Foreign(a[0]).(*machine.Closure); !ok || len(c.Function.Params) < 2 {
		k, err := apply(m, a[0], e)
		return err == nil && seen.Add(m.Key(k)), err
	}
	for _, b := range before {
		c, err := CompareBy(m, a, e, b)
		if err != nil || c == 0 {
			return false, err
		}
	}
	return true, nil
}

// listReverseIn is reverse(), or reverse(true), which changes the list.
func listReverseIn(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listReverse(m, self, nil)
	if err == nil && len(a) == 1 && m.Truth(a[0]) {
		l, err := changed(m, self)
		if err != nil {
			return value.Null, err
		}
		l.Elems = ElemsOf(v)
		return self, nil
	}
	return v, err
}

func listIsSorted(m *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
	elems := ElemsOf(self)
	for i := 1; i < len(elems); i++ {
		c, err := m.Compare(elems[i-1], elems[i])
		if err != nil || c > 0 {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func offset(a []value.Value) int32 {
	if len(a) == 1 {
		return int32(value.AsInt64(a[0]))
	}
	return 0
}

func listWithIndexFrom(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listWithIndex(m, self, nil)
	if from := offset(a); from != 0 && err == nil {
		for i, pair := range ElemsOf(v) {
			machine.Foreign(pair).(*machine.List).Elems[1] = value.Int(from + int32(i))
		}
	}
	return v, err
}

// indexedPairs is indexed() of an iterator: pairs of index and element.
func indexedPairs(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listWithIndexFrom(m, self, a)
	if err != nil {
		return v, err
	}
	pairs := ElemsOf(v)
	for _, pair := range pairs {
		l := machine.Foreign(pair).(*machine.List)
		l.Elems[0], l.Elems[1] = l.Elems[1], l.Elems[0]
	}
	return machine.Wrap(&machine.Iterator{Rest: pairs}), nil
}

func listIndexedFrom(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := ElemsOf(self)
	if err := m.Charge(machine.EntryBytes * len(elems)); err != nil {
		return value.Null, err
	}
	out, from := value.NewMap(), offset(a)
	for i, e := range elems {
		if err := m.Work(machine.ItemWork); err != nil {
			return value.Null, err
		}
		out.Put(value.Int(from+int32(i)), e)
	}
	return out.Value(), nil
}

// collectNested applies a closure at any depth of lists.
func collectNested(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
	if err := m.Enter(); err != nil {
		return value.Null, err
	}
	defer m.Leave()
	return gather(m, ElemsOf(self), func(_ int, e value.Value) (v value.Value, _ bool, err error) {
		if _, ok := machine.ListElems(e); ok {
			v, err = collectNested(m, e, a)
		} else {
			v, err = apply(m, a[0], e)
		}
		return v, true, err
	})
}

// listPush puts an element in front, as Groovy's push does.
func listPush(m *machine.Machine, l *machine.List, a []value.Value) (value.Value, error) {
	if err := m.Work(machine.ValueBytes * len(l.Elems)); err != nil {
		return value.Null, err
	}
	_, err := listAdd(m, l, []value.Value{value.Int(0), a[0]})
	return value.Bool(true), err
}

func listPoll(m *machine.Machine, l *machine.List, _ []value.Value) (value.Value, error) {
	if len(l.Elems) == 0 {
		return value.Null, nil
	}
	return listPop(m, l, nil)
}

func listShuffled(inPlace bool) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, a []value.Value) (value.Value, error) {
		v, err := m.Copied(ElemsOf(self))
		if err != nil {
			return v, err
		}
		elems, next := ElemsOf(v), randomBelow(a)
		for i := len(elems) - 1; i > 0; i-- {
			j := next(int32(i + 1))
			elems[i], elems[j] = elems[j], elems[i]
		}
		if inPlace {
			l, err := changed(m, self)
			if err == nil {
				l.Elems = elems
			}
			return value.Null, err
		}
		return v, nil
	}
}
