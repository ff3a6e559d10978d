package main

import (
	"fmt"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// driverConn is gremlin-go as its users have it: one remote connection, which makes
// as many sockets as it likes.
type driverConn struct {
	remote *gremlingo.DriverRemoteConnection
	g      *gremlingo.GraphTraversalSource
}

func dialDriver(url, source string) (*driverConn, error) {
	c, err := gremlingo.NewDriverRemoteConnection(url, func(s *gremlingo.DriverRemoteConnectionSettings) {
		s.LogVerbosity = gremlingo.Off
		s.TraversalSource = source
	})
	if err != nil {
		return nil, fmt.Errorf("connect gremlin-go to %s: %w", url, err)
	}
	return &driverConn{c, gremlingo.Traversal_().With(c)}, nil
}

// ask builds the traversal, sends it and reads all results, as an application does.
func (c *driverConn) ask(b *traversal.Bytecode) error {
	t := c.g.GetGraphTraversal()
	if err := addSteps(t.Bytecode, b.Steps); err != nil {
		return err
	}
	if _, err := t.ToList(); err != nil {
		return fmt.Errorf("gremlin-go: %w", err)
	}
	return nil
}

func addSteps(to *gremlingo.Bytecode, steps []traversal.Instruction) error {
	for _, in := range steps {
		args := make([]any, len(in.Args))
		for i, a := range in.Args {
			var err error
			if args[i], err = goArgument(a); err != nil {
				return err
			}
		}
		if err := to.AddStep(in.Name, args...); err != nil {
			return fmt.Errorf("build %s(): %w", in.Name, err)
		}
	}
	return nil
}

func goArgument(v value.Value) (any, error) {
	switch v.Kind() {
	case value.KindString:
		return v.Str(), nil
	case value.KindInt:
		return int32(v.Int64()), nil
	case value.KindLong:
		return v.Int64(), nil
	case value.KindT:
		return gremlingo.T.Label, nil
	}
	switch x := v.Object().(type) {
	case *traversal.Bytecode:
		b := gremlingo.NewBytecode(nil)
		return b, addSteps(b, x.Steps)
	case *traversal.P:
		args := make([]any, len(x.Args))
		for i, a := range x.Args {
			var err error
			if args[i], err = goArgument(a); err != nil {
				return nil, err
			}
		}
		if x.Name == "within" {
			return gremlingo.P.Within(args...), nil
		}
	}
	return nil, fmt.Errorf("%#v has no form in the benchmark's driver", v)
}
