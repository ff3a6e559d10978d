package main

import (
	"go/ast"
	"go/token"
	"math/big"
	"strings"
)

// operators are what may stand in an operator's place.
var operators = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD},
	token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// swapOperator notes the other operators of an expression or statement n.
func (f *finder) swapOperator(n ast.Node, at token.Pos, op token.Token) {
	start, end := f.offset(n.Pos()), f.offset(n.End())
	pos := f.offset(at)
	for _, other := range operators[op] {
		with := string(f.text[start:pos]) + other.String() + string(f.text[pos+len(op.String()):end])
		f.note(at, at+token.Pos(len(op.String())), other.String(), cut(f.of(n))+" => "+cut(strings.Join(strings.Fields(with), " ")))
	}
}

func (f *finder) walk(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			f.body(n, n.Type, n.Body)
			return false
		case *ast.FuncLit:
			f.body(n, n.Type, n.Body)
			return false
		case ast.Expr:
			return f.expression(n)
		case ast.Stmt:
			return f.statement(n)
		}
		return true
	})
}

// body walks through a function; one without results may return at once.
func (f *finder) body(n ast.Node, typ *ast.FuncType, b *ast.BlockStmt) {
	if f.outermost == nil {
		f.outermost = f.outer(typ, b)
		defer func() { f.outermost = nil }()
	}
	if typ.Results == nil && len(b.List) > 0 {
		what := "return at once"
		if lit, ok := n.(*ast.FuncLit); ok {
			what += " from " + cut(f.of(lit.Type))
		}
		f.note(b.Lbrace+1, b.Lbrace+1, "return;", what)
	}
	f.results = append(f.results, typ.Results)
	f.walk(b)
	f.results = f.results[:len(f.results)-1]
}

func (f *finder) expression(n ast.Expr) bool {
	if f.size[n] {
		return false
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.swapOperator(n, n.OpPos, n.Op)
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			f.replace(n, string(f.text[f.offset(n.X.Pos()):f.offset(n.X.End())]))
		}
	case *ast.BasicLit:
		f.number(n)
	case *ast.Ident:
		switch n.Name {
		case "true":
			f.replace(n, "false")
		case "false":
			f.replace(n, "true")
		}
	case *ast.CallExpr:
		return f.call(n)
	case *ast.KeyValueExpr: // a key may be the name of a field
		f.walk(n.Value)
		return false
	case *ast.SelectorExpr:
		f.walk(n.X)
		return false
	}
	return true
}

// number moves an integer by one, up when the line before went down.
func (f *finder) number(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	i, ok := new(big.Int).SetString(n.Value, 0)
	if !ok {
		return
	}
	f.replace(n, new(big.Int).Add(i, big.NewInt(1)).String())
	if i.Sign() > 0 {
		f.replace(n, new(big.Int).Sub(i, big.NewInt(1)).String())
	}
}

// call notes changes of a call, and reports whether to look inside.
func (f *finder) call(n *ast.CallExpr) bool {
	name, logs := "", false
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name = fun.Sel.Name
		logs = logging(fun)
	}
	if logs {
		return false
	}
	switch {
	case name == "min":
		f.replace(n.Fun, "max")
	case name == "max":
		f.replace(n.Fun, "min")
	case name == "Grow" && len(n.Args) > 0: // how much room is made is not seen
		f.size[n.Args[len(n.Args)-1]] = true
	case name == "make" && len(n.Args) == 3, name == "make" && len(n.Args) == 2 && isMap(n.Args[0]):
		f.size[n.Args[len(n.Args)-1]] = true
	}
	for i := 1; i < len(n.Args) && !symmetric[f.of(n.Fun)]; i++ {
		a, b := n.Args[i-1], n.Args[i]
		if simple(a) && simple(b) && f.of(a) != f.of(b) && !n.Ellipsis.IsValid() {
			with := f.of(b) + ", " + f.of(a)
			f.note(a.Pos(), b.End(), with, cut(f.of(n.Fun))+"("+f.of(a)+", "+f.of(b)+") => ("+with+")")
		}
	}
	return true
}

// symmetric are functions whose arguments may stand in any order.
var symmetric = map[string]bool{
	"bytes.Equal": true, "bytes.EqualFold": true, "slices.Equal": true, "maps.Equal": true,
	"strings.EqualFold": true, "reflect.DeepEqual": true, "min": true, "max": true,
}

func isMap(e ast.Expr) bool { _, ok := e.(*ast.MapType); return ok }

// simple reports whether an argument is a name: swapping others makes little sense.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name != "nil"
	case *ast.SelectorExpr:
		return simple(e.X)
	}
	return false
}

// logging reports whether a call only writes a line for operators.
func logging(fun *ast.SelectorExpr) bool {
	on := ""
	switch x := fun.X.(type) {
	case *ast.Ident:
		on = x.Name
	case *ast.SelectorExpr:
		on = x.Sel.Name
	}
	switch strings.ToLower(on) {
	case "log", "logger", "slog":
		return true
	}
	return false
}
