package script

import (
	"math"

	"github.com/gremlind/gremlind/storage/value"
)

// moreListMethods are Groovy's and Java's for lists that books use beyond the first need.
func moreListMethods() methods {
	return methods{
		"average":         {0, 1, listAverage},
		"collate":         {1, 2, listCollate},
		"combinations":    {0, 0, listCombinations},
		"transpose":       {0, 0, listTranspose},
		"permutations":    {0, 0, listPermutations},
		"subsequences":    {0, 0, listSubsequences},
		"init":            {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) { return m.ends(self, 0, 1) }},
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
		"stream":          {0, 0, streamOf},
		"asImmutable":     {0, 0, itself},
		"asUnmodifiable":  {0, 0, itself},
		"toArray": {0, 1, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.copied(elemsOf(self))
		}},
		"clone": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return m.copied(elemsOf(self))
		}},
		"disjoint":   {1, 1, listDisjoint},
		"multiply":   operatorMethod("*"),
		"getIndices": {0, 0, listIndices},
		"unique":     {0, 2, changing(listUniqueBy)},
		"toUnique": {0, 1, func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
			return listUniqueBy(m, &list{elems: elemsOf(self)}, append([]value.Value{value.Bool(false)}, a...))
		}},
		"reverse":       {0, 1, listReverseIn},
		"isSorted":      {0, 0, listIsSorted},
		"withIndex":     {0, 1, listWithIndexFrom},
		"indexed":       {0, 1, listIndexedFrom},
		"collectNested": {1, 1, collectNested},
		"toListString": {0, 0, func(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return value.String(m.string(self)), nil
		}},
		"hashCode":  {0, 0, javaHashCode},
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
		"listIterator": {0, 0, func(_ *machine, self value.Value, _ []value.Value) (value.Value, error) {
			return wrap(&iterator{elemsOf(self)}), nil
		}},
		"shuffled": {0, 1, listShuffled(false)},
		"shuffle":  {0, 1, listShuffled(true)},
	}
}

// gather makes a list of the elements for which make says so, of what it makes of them.
func (m *machine) gather(elems []value.Value, make func(i int, e value.Value) (value.Value, bool, error)) (value.Value, error) {
	var out []value.Value
	for i, e := range elems {
		v, ok, err := make(i, e)
		if err == nil {
			err = m.charge(valueBytes)
		}
		if err != nil {
			return value.Null, err
		}
		if ok {
			out = append(out, v)
		}
	}
	return newList(out), nil
}

// ends leaves out so many elements at the front and at the back.
func (m *machine) ends(self value.Value, front, back int64) (value.Value, error) {
	n := int64(len(elemsOf(self)))
	if n == 0 {
		return value.Null, fail(noSuchElement, "Cannot access init() for an empty iterable")
	}
	return m.cut(self, front, n-back)
}

func listAverage(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	total, err := sum(m, self, a)
	if err != nil || total.IsNull() {
		return total, err
	}
	return m.binary("/", total, value.Int(int32(len(elemsOf(self)))))
}

// listCollate cuts into lists of n elements; the last may be shorter unless told.
func listCollate(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	elems, n, keep := elemsOf(self), value.AsInt64(a[0]), true
	step := n
	if len(a) == 2 && a[1].Kind() == value.KindBool {
		keep = a[1].Bool()
	} else if len(a) == 2 {
		step = value.AsInt64(a[1])
	}
	if n <= 0 || step <= 0 {
		all, err := m.copied(elems)
		return newList([]value.Value{all}), err
	}
	var out []value.Value
	for at := int64(0); at < int64(len(elems)); at += min(step, int64(len(elems))) {
		to := min(at+min(n, int64(len(elems))), int64(len(elems)))
		if to-at < n && !keep {
			break
		}
		part, err := m.copied(elems[at:to])
		if err == nil {
			err = m.step()
		}
		if err != nil {
			return value.Null, err
		}
		out = append(out, part)
	}
	return newList(out), nil
}

// listCombinations takes one element of each of its lists, in every way.
func listCombinations(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	out := [][]value.Value{{}}
	for _, part := range elemsOf(self) {
		if err := m.looksAt(part); err != nil {
			return value.Null, err
		}
		choices, ok := collection(part)
		if !ok {
			choices = []value.Value{part}
		}
		var next [][]value.Value
		for _, c := range choices { // the first list turns fastest
			for _, before := range out {
				if err := m.charge(valueBytes * (2*len(before) + 4)); err != nil {
					return value.Null, err
				}
				next = append(next, append(append([]value.Value(nil), before...), c))
			}
		}
		out = next
	}
	return m.lists(out)
}

func (m *machine) lists(of [][]value.Value) (value.Value, error) {
	if err := m.charge(3 * valueBytes * len(of)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(of))
	for i, elems := range of {
		out[i] = newList(elems)
	}
	return newList(out), nil
}

func listTranspose(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	rows := elemsOf(self)
	if len(rows) == 0 {
		return newList(nil), nil
	}
	if err := m.charge(2 * valueBytes * len(rows)); err != nil {
		return value.Null, err
	}
	width, cells := math.MaxInt, make([][]value.Value, len(rows))
	for i, row := range rows {
		if err := m.looksAt(row); err != nil {
			return value.Null, err
		}
		cells[i] = elemsOf(row)
		width = min(width, len(cells[i]))
	}
	var out []value.Value
	for i := range width {
		if err := m.charge(valueBytes * (len(rows) + 3)); err != nil {
			return value.Null, err
		}
		column := make([]value.Value, len(rows))
		for j := range cells {
			column[j] = cells[j][i]
		}
		out = append(out, newList(column))
	}
	return newList(out), nil
}

// listSubsequences is the set of all lists that leave out some of the elements.
func listSubsequences(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	var out [][]value.Value
	for _, e := range elemsOf(self) {
		if err := m.charge(valueBytes * (len(out) + 1)); err != nil {
			return value.Null, err
		}
		for _, before := range append([][]value.Value{nil}, out...) {
			if err := m.charge(valueBytes * (2*len(before) + 4)); err != nil {
				return value.Null, err
			}
			out = append(out, append(append([]value.Value(nil), before...), e))
		}
	}
	return m.lists(out)
}

func listTakeRight(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	n := int64(len(elemsOf(self)))
	return m.cut(self, n-max(value.AsInt64(a[0]), 0), n)
}

func listDropRight(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return m.cut(self, 0, int64(len(elemsOf(self)))-max(value.AsInt64(a[0]), 0))
}

// listWhile takes, or drops, the elements before the first that fails the test.
func listWhile(take bool) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		elems, n := elemsOf(self), 0
		for n < len(elems) {
			ok, err := m.test(a, elems[n])
			if err != nil {
				return value.Null, err
			}
			if !ok {
				break
			}
			n++
		}
		if take {
			return m.copied(elems[:n])
		}
		return m.copied(elems[n:])
	}
}

func listFindIndex(last bool) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		from, found := int64(0), -1
		if len(a) == 2 {
			from = value.AsInt64(a[0])
		}
		for i, e := range elemsOf(self) {
			if int64(i) < from {
				continue
			}
			ok, err := m.test(a[len(a)-1:], e)
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

func listIndexValues(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	return m.gather(elemsOf(self), func(i int, e value.Value) (value.Value, bool, error) {
		ok, err := m.test(a, e)
		return value.Long(int64(i)), ok, err
	})
}

func listLastIndexOf(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := elemsOf(self)
	for i := len(elems) - 1; i >= 0; i-- {
		if m.equal(elems[i], a[0]) {
			return value.Int(int32(i)), nil
		}
		if m.failed != nil {
			break
		}
	}
	return value.Int(-1), m.surface()
}

func listReverseEach(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := elemsOf(self)
	for i := len(elems) - 1; i >= 0; i-- {
		if _, err := m.apply(a[0], elems[i]); err != nil {
			return value.Null, err
		}
	}
	return self, nil
}

// listRetain keeps, or removes, what is in a collection or passes a closure.
func listRetain(keep bool) func(*machine, *list, []value.Value) (value.Value, error) {
	return func(m *machine, l *list, a []value.Value) (value.Value, error) {
		if err := m.charge(valueBytes * len(l.elems)); err != nil {
			return value.Null, err
		}
		before := len(l.elems)
		var left []value.Value
		for _, e := range l.elems {
			in, err := m.within(a[0], e)
			if err == nil {
				err = m.step()
			}
			if err != nil {
				return value.Null, err
			}
			if in == keep {
				left = append(left, e)
			}
		}
		l.elems = left
		return value.Bool(len(left) != before), nil
	}
}

// within is a closure's test, or membership of a collection.
func (m *machine) within(of, v value.Value) (bool, error) {
	if s := of.Set(); s != nil {
		return s.Has(m.export(v)), m.surface()
	}
	return m.isCase(of, v)
}

func listRemoveElement(m *machine, l *list, a []value.Value) (value.Value, error) {
	for i, e := range l.elems {
		if m.equal(e, a[0]) && m.failed == nil {
			if err := m.charge(valueBytes * len(l.elems)); err != nil {
				return value.Null, err
			}
			l.elems = append(l.elems[:i:i], l.elems[i+1:]...)
			return value.Bool(true), nil
		}
		if m.failed != nil {
			break
		}
	}
	return value.Bool(false), m.surface()
}

func listRemoveLast(_ *machine, l *list, _ []value.Value) (value.Value, error) {
	if len(l.elems) == 0 {
		return value.Null, fail(noSuchElement, "Cannot removeLast() an empty List")
	}
	v := l.elems[len(l.elems)-1]
	l.elems = l.elems[:len(l.elems)-1]
	return v, nil
}

func listReplaceAll(m *machine, l *list, a []value.Value) (value.Value, error) {
	for i := 0; i < len(l.elems); i++ {
		v, err := m.apply(a[0], l.elems[i])
		if err != nil {
			return value.Null, err
		}
		if i < len(l.elems) {
			l.elems[i] = v
		}
	}
	return value.Null, nil
}

func listSwap(m *machine, l *list, a []value.Value) (value.Value, error) {
	x, err := m.listGet(l.elems, a[0])
	if err != nil {
		return value.Null, err
	}
	y, err := m.listGet(l.elems, a[1])
	if err != nil {
		return value.Null, err
	}
	l.elems[value.AsInt64(a[0])], l.elems[value.AsInt64(a[1])] = y, x
	return wrap(l), nil
}

func listDisjoint(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	for _, e := range elemsOf(self) {
		in, err := m.isCase(a[0], e)
		if err != nil || in {
			return value.Bool(false), err
		}
	}
	return value.Bool(true), nil
}

func listIndices(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	n := len(elemsOf(self))
	if n == 0 {
		return newList(nil), nil
	}
	return m.makeRange(value.Int(0), value.Int(int32(n-1)), false)
}

// listUniqueBy keeps the first of equal elements, or of those of which a closure says so;
// false as the first argument leaves the list as it is and returns another.
func listUniqueBy(m *machine, l *list, a []value.Value) (value.Value, error) {
	if len(a) > 0 && a[0].Kind() == value.KindBool {
		if !a[0].Bool() {
			l = &list{elems: l.elems}
		}
		a = a[1:]
	}
	if len(a) == 0 {
		return listUnique(m, l, nil)
	}
	if err := m.charge((entryBytes + valueBytes) * len(l.elems)); err != nil {
		return value.Null, err
	}
	var out []value.Value
	seen := value.NewSet()
	for _, e := range l.elems {
		is, err := m.isNew(a, e, out, seen)
		if err != nil {
			return value.Null, err
		}
		if is {
			out = append(out, e)
		}
	}
	l.elems = out
	return wrap(l), nil
}

func (m *machine) isNew(a []value.Value, e value.Value, before []value.Value, seen *value.Set) (bool, error) {
	if c, ok := foreign(a[0]).(*closure); !ok || len(c.fn.params) < 2 {
		k, err := m.apply(a[0], e)
		return err == nil && seen.Add(m.key(k)), err
	}
	for _, b := range before {
		c, err := m.compareBy(a, e, b)
		if err != nil || c == 0 {
			return false, err
		}
	}
	return true, nil
}

// listReverseIn is reverse(), or reverse(true), which changes the list.
func listReverseIn(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listReverse(m, self, nil)
	if err == nil && len(a) == 1 && m.truth(a[0]) {
		l, err := m.changed(self)
		if err != nil {
			return value.Null, err
		}
		l.elems = elemsOf(v)
		return self, nil
	}
	return v, err
}

func listIsSorted(m *machine, self value.Value, _ []value.Value) (value.Value, error) {
	elems := elemsOf(self)
	for i := 1; i < len(elems); i++ {
		c, err := m.compare(elems[i-1], elems[i])
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

func listWithIndexFrom(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listWithIndex(m, self, nil)
	if from := offset(a); from != 0 && err == nil {
		for i, pair := range elemsOf(v) {
			foreign(pair).(*list).elems[1] = value.Int(from + int32(i))
		}
	}
	return v, err
}

// indexedPairs is indexed() of an iterator: pairs of index and element.
func indexedPairs(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	v, err := listWithIndexFrom(m, self, a)
	if err != nil {
		return v, err
	}
	pairs := elemsOf(v)
	for _, pair := range pairs {
		l := foreign(pair).(*list)
		l.elems[0], l.elems[1] = l.elems[1], l.elems[0]
	}
	return wrap(&iterator{pairs}), nil
}

func listIndexedFrom(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	elems := elemsOf(self)
	if err := m.charge(entryBytes * len(elems)); err != nil {
		return value.Null, err
	}
	out, from := value.NewMap(), offset(a)
	for i, e := range elems {
		if err := m.Work(itemWork); err != nil {
			return value.Null, err
		}
		out.Put(value.Int(from+int32(i)), e)
	}
	return out.Value(), nil
}

// collectNested applies a closure at any depth of lists.
func collectNested(m *machine, self value.Value, a []value.Value) (value.Value, error) {
	if err := m.enter(); err != nil {
		return value.Null, err
	}
	defer m.leave()
	return m.gather(elemsOf(self), func(_ int, e value.Value) (v value.Value, _ bool, err error) {
		if _, ok := listElems(e); ok {
			v, err = collectNested(m, e, a)
		} else {
			v, err = m.apply(a[0], e)
		}
		return v, true, err
	})
}

// listPush puts an element in front, as Groovy's push does.
func listPush(m *machine, l *list, a []value.Value) (value.Value, error) {
	if err := m.Work(valueBytes * len(l.elems)); err != nil {
		return value.Null, err
	}
	_, err := listAdd(m, l, []value.Value{value.Int(0), a[0]})
	return value.Bool(true), err
}

func listPoll(m *machine, l *list, _ []value.Value) (value.Value, error) {
	if len(l.elems) == 0 {
		return value.Null, nil
	}
	return listPop(m, l, nil)
}

func listShuffled(inPlace bool) func(*machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine, self value.Value, a []value.Value) (value.Value, error) {
		v, err := m.copied(elemsOf(self))
		if err != nil {
			return v, err
		}
		elems, next := elemsOf(v), randomBelow(a)
		for i := len(elems) - 1; i > 0; i-- {
			j := next(int32(i + 1))
			elems[i], elems[j] = elems[j], elems[i]
		}
		if inPlace {
			l, err := m.changed(self)
			if err == nil {
				l.elems = elems
			}
			return value.Null, err
		}
		return v, nil
	}
}
