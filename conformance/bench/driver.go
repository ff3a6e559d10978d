package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	gremlingo "github.com/apache/tinkerpop/gremlin-go/v3/driver"

	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// driverClients are goroutines that share gremlin-go as its users have it: one remote
// connection, which makes as many sockets as it likes.
type driverClients struct {
	remote *gremlingo.DriverRemoteConnection
	g      *gremlingo.GraphTraversalSource
	load   *load
	n      int
}

func connectDriver(url string, l *load, n int) (*driverClients, error) {
	c, err := gremlingo.NewDriverRemoteConnection(url, func(s *gremlingo.DriverRemoteConnectionSettings) {
		s.LogVerbosity = gremlingo.Off
		s.TraversalSource = l.source
	})
	if err != nil {
		return nil, fmt.Errorf("connect gremlin-go to %s: %w", url, err)
	}
	return &driverClients{c, gremlingo.Traversal_().With(c), l, n}, nil
}

func (d *driverClients) count() int { return d.n }

func (d *driverClients) close() { d.remote.Close() }

func (d *driverClients) run(found [][]time.Duration, length time.Duration) error {
	errs := make([]error, d.n)
	var wg sync.WaitGroup
	begin := time.Now()
	for c := range d.n {
		wg.Go(func() {
			took, first := found[c], firstRequest(c, d.n, d.load.size())
			for errs[c] == nil {
				sent := time.Now()
				errs[c] = d.ask(d.load.bytecode[(first+len(took))%d.load.size()])
				took = append(took, time.Since(sent))
				if time.Since(begin) >= length {
					break
				}
			}
			found[c] = took
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// ask builds the traversal, sends it and reads all results, as an application does.
func (d *driverClients) ask(b *traversal.Bytecode) error {
	t := d.g.GetGraphTraversal()
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
