package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// statement notes changes of a statement, and reports whether to look inside.
func (f *finder) statement(n ast.Stmt) bool {
	switch n := n.(type) {
	case *ast.ExprStmt:
		if call, ok := n.X.(*ast.CallExpr); ok {
			if fun, ok := call.Fun.(*ast.SelectorExpr); ok && logging(fun) {
				return false
			}
		}
		if !makesRoom(n) {
			f.drop(n)
		}
	case *ast.DeferStmt, *ast.GoStmt, *ast.SendStmt, *ast.BranchStmt:
		f.drop(n)
	case *ast.IncDecStmt:
		f.drop(n)
		f.swapOperator(n, n.TokPos, n.Tok)
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			f.drop(n)
			f.swapOperator(n, n.TokPos, n.Tok)
		}
	case *ast.IfStmt:
		f.failed(n)
		f.condition(n.Cond)
		if errorCheck(n) {
			f.note(n.Cond.Pos(), n.Cond.End(), "("+f.of(n.Cond)+") && false", "without the check "+cut(f.of(n.Cond)))
		}
	case *ast.ForStmt:
		return f.loop(n)
	case *ast.ReturnStmt:
		from := 0
		if f.fails(n) {
			from = len(n.Results) - 1
		}
		f.returned(n, from)
		for _, e := range n.Results[from:] {
			f.walk(e)
		}
		return false
	}
	return true
}

// makesRoom reports whether a statement is a call of Grow: how much room is made is not seen.
func makesRoom(n *ast.ExprStmt) bool {
	call, ok := n.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	return ok && fun.Sel.Name == "Grow"
}

// failed notes the returns right in the body of "if err != nil": they say an error.
func (f *finder) failed(n *ast.IfStmt) {
	if f.of(n.Cond) != "err != nil" {
		return
	}
	for _, s := range n.Body.List {
		if r, ok := s.(*ast.ReturnStmt); ok {
			f.inFailed[r] = true
		}
	}
}

// fails reports whether a return says an error for sure beside other results, which by Go's
// convention nobody looks at then: changes of them are nobody's.
func (f *finder) fails(n *ast.ReturnStmt) bool {
	if len(n.Results) < 2 {
		return false
	}
	last := n.Results[len(n.Results)-1]
	if f.of(last) == "err" {
		return f.inFailed[n]
	}
	call, ok := last.(*ast.CallExpr)
	return ok && (f.of(call.Fun) == "fmt.Errorf" || f.of(call.Fun) == "errors.New")
}

// loop looks at all of a loop but its step: without that it has no end, which tells little
// and takes long.
func (f *finder) loop(n *ast.ForStmt) bool {
	if n.Init != nil {
		f.walk(n.Init)
	}
	if n.Cond != nil {
		f.condition(n.Cond)
		f.walk(n.Cond)
	}
	f.walk(n.Body)
	return false
}

// condition notes that a condition may be turned round, unless another change does that.
func (f *finder) condition(c ast.Expr) {
	switch c := c.(type) {
	case *ast.BinaryExpr:
		if c.Op != token.LAND && c.Op != token.LOR {
			return
		}
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return
		}
	}
	f.replace(c, "!("+string(f.text[f.offset(c.Pos()):f.offset(c.End())])+")")
}

// errorCheck reports whether an if statement leaves because of an error or a limit.
func errorCheck(n *ast.IfStmt) bool {
	if n.Else != nil || len(n.Body.List) == 0 {
		return false
	}
	switch last := n.Body.List[len(n.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok != token.FALLTHROUGH
	}
	return false
}

// nothing is what a result of a type may become, as far as its name tells.
func nothing(typ ast.Expr) string {
	switch t := typ.(type) {
	case *ast.StarExpr, *ast.MapType, *ast.FuncType, *ast.ChanType, *ast.InterfaceType:
		return "nil"
	case *ast.ArrayType:
		if t.Len == nil {
			return "nil"
		}
	case *ast.Ident:
		switch t.Name {
		case "error", "any":
			return "nil"
		case "string":
			return `""`
		case "bool":
			return "!"
		case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "byte", "rune":
			return "0"
		}
	}
	return ""
}

// returned notes that single results, those from a number on, may be nothing, or the other
// truth.
func (f *finder) returned(n *ast.ReturnStmt, from int) {
	results := f.results[len(f.results)-1]
	if results == nil || len(n.Results) != results.NumFields() {
		return
	}
	i := 0
	for _, field := range results.List {
		zero := nothing(field.Type)
		for range max(len(field.Names), 1) {
			e := n.Results[i]
			i++
			switch _, lit := e.(*ast.BasicLit); {
			case i <= from || zero == "" || lit || f.of(e) == zero || f.of(e) == "true" || f.of(e) == "false":
			case zero != "!":
				f.replace(e, zero)
			case !strings.HasPrefix(f.of(e), "!") && !compares(e):
				f.replace(e, "!("+string(f.text[f.offset(e.Pos()):f.offset(e.End())])+")")
			}
		}
	}
}

// compares reports whether an expression has an operator that another change turns round.
func compares(e ast.Expr) bool {
	b, ok := e.(*ast.BinaryExpr)
	return ok && b.Op != token.LAND && b.Op != token.LOR
}
