package traversal

import (
	"github.com/gremlind/gremlind/storage/value"
)

// SideEffects holds a run's named side effects: withSideEffect(), aggregate("x"),
// group("x"), sack-like state that outlives traversers.
type SideEffects struct {
	byKey map[string]*SideEffect
	keys  []string
}

// SideEffect is one named value. Steps may keep their own form of it in State, and
// turn it into a value only when somebody looks.
type SideEffect struct {
	Value value.Value
	// State, when not nil, is the live form; it replaces Value.
	State interface {
		// Value returns the side effect as it is now.
		Value() (value.Value, error)
	}
	// Reducer merges an added value into the present one; nil replaces.
	Reducer func(a, b value.Value) (value.Value, error)
	// Supplied is set for side effects of withSideEffect().
	Supplied bool
}

// Define registers a withSideEffect() of the source.
func (s *SideEffects) Define(r *Run, o SideEffectOption) error {
	initial, err := r.supplied(o.Initial)
	if err != nil {
		return err
	}
	e := &SideEffect{Value: initial, Supplied: true}
	if !o.Reducer.IsNull() {
		f, err := r.BinaryFunc(o.Reducer)
		if err != nil {
			return err
		}
		e.Reducer = f
	}
	s.put(o.Key, e)
	return nil
}

func (s *SideEffects) put(key string, e *SideEffect) {
	if _, ok := s.byKey[key]; !ok {
		s.keys = append(s.keys, key)
	}
	if s.byKey == nil {
		s.byKey = map[string]*SideEffect{}
	}
	s.byKey[key] = e
}

// Register returns the side effect of key, made by fresh when nothing defined it yet.
func (s *SideEffects) Register(key string, fresh func() *SideEffect) *SideEffect {
	if e, ok := s.byKey[key]; ok {
		return e
	}
	e := fresh()
	s.put(key, e)
	return e
}

// Lookup returns the side effect of key.
func (s *SideEffects) Lookup(key string) (*SideEffect, bool) {
	e, ok := s.byKey[key]
	return e, ok
}

// Keys returns the names in the order of their definition.
func (s *SideEffects) Keys() []string { return s.keys }

// Get returns the present value of key, or an error in the reference's words.
func (s *SideEffects) Get(key string) (value.Value, error) {
	e, ok := s.byKey[key]
	if !ok {
		return value.Null, illegalArgument("The side-effect key does not exist in the side-effects: %s", value.Brief(key))
	}
	return e.Get()
}

// Get returns the present value.
func (e *SideEffect) Get() (value.Value, error) {
	if e.State != nil {
		return e.State.Value()
	}
	return e.Value, nil
}

// Add merges v into the side effect.
func (e *SideEffect) Add(v value.Value) error {
	if e.Reducer == nil {
		e.Value = v
		return nil
	}
	merged, err := e.Reducer(e.Value, v)
	if err != nil {
		return err
	}
	e.Value = merged
	return nil
}
