package classes

import (
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/lang"
	"github.com/gremlind/gremlind/traversal/script/graphs"
	"github.com/gremlind/gremlind/traversal/script/machine"
	"github.com/gremlind/gremlind/traversal/script/methods"
)

// staticField is a constant of a class.
func staticField(class, name string) (value.Value, bool) {
	switch class + "." + name {
	case "Integer.MAX_VALUE":
		return value.Int(math.MaxInt32), true
	case "Integer.MIN_VALUE":
		return value.Int(math.MinInt32), true
	case "Long.MAX_VALUE":
		return value.Long(math.MaxInt64), true
	case "Long.MIN_VALUE":
		return value.Long(math.MinInt64), true
	case "Double.NaN":
		return value.Double(math.NaN()), true
	case "Double.POSITIVE_INFINITY":
		return value.Double(math.Inf(1)), true
	case "Double.NEGATIVE_INFINITY":
		return value.Double(math.Inf(-1)), true
	case "Double.MAX_VALUE":
		return value.Double(math.MaxFloat64), true
	case "Double.MIN_VALUE":
		return value.Double(math.SmallestNonzeroFloat64), true
	case "Float.NaN":
		return value.Float(float32(math.NaN())), true
	case "Float.POSITIVE_INFINITY", "Float.NEGATIVE_INFINITY":
		return value.Float(float32(math.Inf(map[bool]int{true: 1, false: -1}[name[0] == 'P']))), true
	case "Float.MAX_VALUE":
		return value.Float(math.MaxFloat32), true
	case "Float.MIN_VALUE":
		return value.Float(math.SmallestNonzeroFloat32), true
	case "Short.MAX_VALUE":
		return value.Short(math.MaxInt16), true
	case "Short.MIN_VALUE":
		return value.Short(math.MinInt16), true
	case "Byte.MAX_VALUE":
		return value.Byte(math.MaxInt8), true
	case "Byte.MIN_VALUE":
		return value.Byte(math.MinInt8), true
	case "BigDecimal.ZERO", "BigDecimal.ONE", "BigDecimal.TEN":
		return value.Widened(value.Int(smallConstants[name]), value.KindBigDecimal), true
	case "BigInteger.ZERO", "BigInteger.ONE", "BigInteger.TWO", "BigInteger.TEN":
		return value.Widened(value.Int(smallConstants[name]), value.KindBigInteger), true
	case "Math.PI":
		return value.Double(math.Pi), true
	case "Math.E":
		return value.Double(math.E), true
	case "Instant.EPOCH":
		return value.Instant(time.Unix(0, 0)), true
	case "Boolean.TRUE", "Boolean.FALSE":
		return value.Bool(name == "TRUE"), true
	}
	if key, ok := graphs.ProgramConstants[class+"."+name]; ok {
		return value.String(key), true
	}
	if (class == "GraphSONVersion" || class == "GryoVersion") && strings.HasPrefix(name, "V") {
		return value.String(name), true
	}
	if class == "TimeUnit" || class == "ChronoUnit" {
		return value.String(name), graphs.TimeUnits[name] != 0 || methods.Shifts[machine.Capital(strings.ToLower(name))] != nil
	}
	return value.Null, false
}

var smallConstants = map[string]int32{"ZERO": 0, "ONE": 1, "TWO": 2, "TEN": 10}

// staticMethods are the static methods that scripts may call.
func staticMethods() machine.Methods {
	return machine.Methods{
		"Integer.parseInt":   parsing(value.KindInt),
		"Integer.valueOf":    parsing(value.KindInt),
		"Long.parseLong":     parsing(value.KindLong),
		"Long.valueOf":       parsing(value.KindLong),
		"Short.parseShort":   parsing(value.KindShort),
		"Byte.parseByte":     parsing(value.KindByte),
		"Double.parseDouble": parsing(value.KindDouble),
		"Double.valueOf":     parsing(value.KindDouble),
		"Float.parseFloat":   parsing(value.KindFloat),
		"BigDecimal.valueOf": parsing(value.KindBigDecimal),
		"BigInteger.valueOf": parsing(value.KindBigInteger),
		"Boolean.parseBoolean": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Bool(strings.EqualFold(m.String(a[0]), "true")), nil
		}},
		"String.valueOf": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Text(m.String(a[0]))
		}},
		"UUID.randomUUID": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.UUID(uuid.New()), nil
		}},
		"UUID.fromString": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.ParseUUID(m.String(a[0]))
		}},
		"System.currentTimeMillis": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.Long(time.Now().UnixMilli()), nil
		}},
		"System.nanoTime": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.Long(time.Now().UnixNano()), nil
		}},
		"Thread.sleep": {1, 1, sleep},
		"Arrays.asList": {0, math.MaxInt, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.NewList(a), nil
		}},
		"List.of": {0, math.MaxInt, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return machine.NewList(a), nil
		}},
		"Set.of": {0, math.MaxInt, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.NewSet(a)
		}},
		"Map.of": {0, math.MaxInt, mapOfPairs},
		"Instant.now": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.Instant(time.Now()), nil
		}},
		"OffsetDateTime.now": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.OffsetDateTime(time.Now().UTC()), nil
		}},
		"OffsetDateTime.parse":    {1, 1, datetime},
		"DatetimeHelper.datetime": {0, 1, datetime},
		"DatetimeHelper.parse":    {1, 1, datetime},
		"Collections.emptyList": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return machine.NewList(nil), nil
		}},
		"Collections.emptyMap": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.NewMap().Value(), nil
		}},
	}
}

// arithmeticStatics are those of java.lang.Math that take numbers of any type.
func arithmeticStatics() machine.Methods {
	return machine.Methods{
		"Math.abs": {1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return m.Invoke(a[0], "abs", nil)
		}},
		"Math.max": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return extreme(m, a[0], a[1], 1)
		}},
		"Math.min": {2, 2, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return extreme(m, a[0], a[1], -1)
		}},
		"Math.sqrt":  mathFunction(math.Sqrt),
		"Math.floor": mathFunction(math.Floor),
		"Math.ceil":  mathFunction(math.Ceil),
		"Math.log":   mathFunction(math.Log),
		"Math.log10": mathFunction(math.Log10),
		"Math.exp":   mathFunction(math.Exp),
		"Math.sin":   mathFunction(math.Sin),
		"Math.cos":   mathFunction(math.Cos),
		"Math.tan":   mathFunction(math.Tan),
		"Math.pow": {2, 2, func(_ *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
			return value.Double(math.Pow(value.AsFloat64(a[0]), value.AsFloat64(a[1]))), nil
		}},
		"Math.round": {1, 1, mathRound},
		"Math.random": {0, 0, func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
			return value.Double(random()), nil
		}},
	}
}

func parsing(k value.Kind) machine.Method {
	return machine.Method{1, 1, func(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
		if a[0].Kind().IsNumber() {
			return value.Widened(a[0], k), nil
		}
		return machine.ParseNumber(m.String(a[0]), k)
	}}
}

func mathRound(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if a[0].Kind() != value.KindFloat {
		a = []value.Value{value.Widened(a[0], value.KindDouble)}
	}
	return m.Invoke(a[0], "round", nil)
}

func extreme(m *machine.Machine, a, b value.Value, sign int) (value.Value, error) {
	c, err := m.Compare(a, b)
	if c*sign >= 0 {
		return a, err
	}
	return b, err
}

func mapOfPairs(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if len(a)%2 != 0 {
		return value.Null, machine.Fail(machine.ArgumentException, "Map.of() takes pairs of keys and values")
	}
	out := value.NewMap()
	for i := 0; i < len(a); i += 2 {
		out.Put(m.Key(a[i]), a[i+1])
	}
	return out.Value(), m.Charge(machine.ValueBytes * len(a))
}

// sleep waits for milliseconds, or until the context ends.
func sleep(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if !a[0].Kind().IsNumber() {
		return value.Null, m.NoMethod(machine.Wrap(&Class{"java.lang.Thread"}), "sleep", a)
	}
	const longest = 24 * time.Hour
	d := min(time.Duration(min(value.AsInt64(a[0]), longest.Milliseconds()))*time.Millisecond, longest)
	timer := time.NewTimer(max(d, 0))
	defer timer.Stop()
	traversal.Idle(m.Context, func() {
		select {
		case <-m.Context.Done():
		case <-timer.C:
		}
	})
	return value.Null, m.Poll()
}

func datetime(m *machine.Machine, _ value.Value, a []value.Value) (value.Value, error) {
	if len(a) == 0 {
		return value.OffsetDateTime(time.Now().UTC()), nil
	}
	t, err := lang.DateTime(m.String(a[0]))
	if err != nil {
		return value.Null, machine.Fail("java.time.format.DateTimeParseException", "%v", err)
	}
	return value.OffsetDateTime(t), nil
}

// CallStatic calls what TinkerPop imports statically: predicates, datetime, single(x).
func CallStatic(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	switch name {
	case "datetime":
		v, ok, err := machine.Methods{"datetime": {0, 1, datetime}}.Try(m, value.Null, name, args)
		return v, ok, err
	case "sleep":
		v, ok, err := machine.Methods{"sleep": {1, 1, sleep}}.Try(m, value.Null, name, args)
		return v, ok, err
	case "sprintf":
		if len(args) > 0 {
			v, err := methods.Format(m, m.String(args[0]), args[1:])
			return v, true, err
		}
	case "single", "list", "set":
		if len(args) == 1 {
			return lang.CardinalityValue(value.Enum(value.KindCardinality, name), m.Export(args[0])), true, nil
		}
	case "not":
		if len(args) != 1 || args[0].Kind() != value.KindP {
			return value.Null, false, nil
		}
	}
	return predicateCall(m, name, args)
}

// predicateCall makes a predicate.
func predicateCall(m *machine.Machine, name string, args []value.Value) (value.Value, bool, error) {
	is, text := lang.IsPredicate(name)
	if !is {
		return value.Null, false, nil
	}
	vs, err := graphs.StepArguments(m, args)
	if err != nil {
		return value.Null, false, err
	}
	want := 1
	switch name {
	case "within", "without":
		vs = lang.Flattened(vs)
		want = len(vs)
	case "inside", "outside", "between":
		want = 2
	case "not":
		if len(vs) == 1 {
			if q, ok := vs[0].Object().(*traversal.P); ok {
				return methods.Negated(q).Value(), true, nil
			}
		}
		return value.Null, false, nil
	}
	if len(vs) != want {
		return value.Null, false, nil
	}
	q := &traversal.P{Name: name, Args: vs, Text: text}
	return q.Value(), true, nil
}

// predicateMethods are and, or and negate of a predicate.
func predicateMethods() machine.Methods {
	return machine.Methods{
		"and": {1, math.MaxInt, connect("and")},
		"or":  {1, math.MaxInt, connect("or")},
		"negate": {0, 0, func(_ *machine.Machine, self value.Value, _ []value.Value) (value.Value, error) {
			q, ok := self.Object().(*traversal.P)
			if !ok {
				return self, machine.Fail(machine.StateException, "not a predicate")
			}
			return methods.Negated(q).Value(), nil
		}},
	}
}

func connect(name string) func(*machine.Machine, value.Value, []value.Value) (value.Value, error) {
	return func(m *machine.Machine, self value.Value, args []value.Value) (value.Value, error) {
		for _, a := range args {
			if a.Kind() != value.KindP {
				return self, m.NoMethod(self, name, args)
			}
		}
		q := &traversal.P{Name: name, Args: append([]value.Value{self}, args...)}
		return q.Value(), nil
	}
}
