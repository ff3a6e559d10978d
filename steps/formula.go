package steps

import (
	"errors"
	"math"
	"slices"

	"github.com/gremlind/gremlind/storage/value"
)

// formula is a compiled math() expression: code for a stack machine.
type formula struct {
	names []string // variables by number, in the order of their first use
	code  []mathOp
	fault error // nil for what is a formula
	late  bool  // the fault shows after that of a variable
}

// variable returns the number of a variable, which may be new.
func (f *formula) variable(name string) int {
	i := slices.Index(f.names, name)
	if i < 0 {
		i = len(f.names)
		f.names = append(f.names, name)
	}
	return i
}

// mathOp is one instruction: push a constant or a variable, or work on the stack.
type mathOp struct {
	op  byte // 'n' constant, 'v' variable, 'f' function, '~' negation, or + - * / % ^
	num float64
	v   int
	fn  func(float64) float64
}

// mathFunctions are the functions of one argument that names may be.
var mathFunctions = map[string]func(float64) float64{
	"abs": math.Abs, "acos": math.Acos, "asin": math.Asin, "atan": math.Atan, "cbrt": math.Cbrt, "ceil": math.Ceil,
	"cos": javaCos, "cosh": math.Cosh, "exp": math.Exp, "floor": math.Floor, "log": math.Log, "log10": math.Log10,
	"log2": func(x float64) float64 { return math.Log(x) / math.Log(2) }, "signum": signum, "sin": javaSin,
	"sinh": math.Sinh, "sqrt": math.Sqrt, "tan": javaTan, "tanh": math.Tanh,
}

// reservedNames are functions of the reference's library that math() does not know as
// such: no variable can have their names.
var reservedNames = []string{"cot", "expm1", "log1p", "pow"}

// mathConstants are written as characters that no variable can have.
var mathConstants = map[string]float64{"π": math.Pi, "φ": math.Phi}

func signum(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

var errDivision = value.ErrArithmetic{Message: "Division by zero!"}

// eval runs the code on a stack with room for it.
func (f *formula) eval(vars, stack []float64) (float64, error) {
	for i := range f.code {
		c := &f.code[i]
		n := len(stack)
		switch c.op {
		case 'n':
			stack = append(stack, c.num)
		case 'v':
			stack = append(stack, vars[c.v])
		case 'f':
			stack[n-1] = c.fn(stack[n-1])
		case '~':
			stack[n-1] = -stack[n-1]
		default:
			x, err := applyOp(c.op, stack[n-2], stack[n-1])
			if err != nil {
				return 0, err
			}
			stack[n-2] = x
			stack = stack[:n-1]
		}
	}
	if len(stack) != 1 {
		return 0, errors.New("the formula has no value")
	}
	return stack[0], nil
}

func applyOp(op byte, a, b float64) (float64, error) {
	switch op {
	case '+':
		return a + b, nil
	case '-':
		return a - b, nil
	case '*':
		return a * b, nil
	case '^':
		return math.Pow(a, b), nil
	}
	if b == 0 {
		return 0, errDivision
	}
	if op == '%' {
		return math.Mod(a, b), nil
	}
	return a / b, nil
}
