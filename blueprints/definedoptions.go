package blueprints

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/gremlind/gremlind/storage/value"
)

// DefinedTTL is how long elements of a label are there.
type DefinedTTL struct {
	Class string `json:"class"` // vertex or edge
	Label string `json:"label"`
	TTL   string `json:"ttl"` // as an ISO-8601 duration
}

// undefinedOptions are no part of definitions: where a graph is kept, and whether it may be written,
// is for who makes another; autoIndex has a place of its own.
var undefinedOptions = []string{"inMemory", "autoIndex", OptionReadOnly}

// definedOptions are the options that are other than those of a new graph, nil for none.
func definedOptions(o Options) map[string]string {
	var all map[string]string
	usual := NewOptions()
	for _, key := range OptionKeys() {
		if text := o.Get(key); text != usual.Get(key) && !slices.Contains(undefinedOptions, key) {
			if all == nil {
				all = map[string]string{}
			}
			all[key] = text
		}
	}
	return all
}

// SetOptions sets options of a graph that is to be made, but for those that stay as they are.
func (d *Definitions) SetOptions(o *Options, stay func(name string) bool) error {
	for _, name := range slices.Sorted(maps.Keys(d.Options)) {
		if slices.Contains(undefinedOptions, name) {
			return illegalArgument("options: %s is no option that definitions have", name)
		}
		if stay(name) {
			continue
		}
		if err := o.Set(name, d.Options[name]); err != nil {
			return illegalArgument("options: %s", err)
		}
	}
	return nil
}

// definedTTLs lists how long elements of labels are there.
func (g *Graph) definedTTLs(ctx context.Context) (list []DefinedTTL, err error) {
	for _, c := range definedClasses {
		all, err := g.LabelTTLs(ctx, c)
		if err != nil {
			return nil, err
		}
		for _, label := range slices.Sorted(maps.Keys(all)) {
			list = append(list, DefinedTTL{c.String(), label, TTLText(all[label])})
		}
	}
	return list, nil
}

// TTLText is what ParseTTL reads.
func TTLText(ttl time.Duration) string {
	d := value.Duration{Seconds: int64(ttl / time.Second), Nanos: int32(ttl % time.Second)}
	return d.Value().JavaString()
}

// defineFeatures has the graph keep history and stamps, and let things expire, as definitions say.
// What it does already stays as it is, and so do its other options.
func (g *Graph) defineFeatures(ctx context.Context, d *Definitions) error {
	wanted := NewOptions()
	if err := d.SetOptions(&wanted, func(string) bool { return false }); err != nil {
		return err
	}
	if wanted.History != NoHistory && !g.Uses(History) {
		if err := g.KeepHistory(ctx, wanted.History); err != nil {
			return err
		}
	}
	for feature, is := range map[Feature]bool{Stamps: wanted.Stamps, TTL: wanted.TTL || len(d.TTL) > 0} {
		if is && !g.Uses(feature) {
			if err := g.Gain(ctx, feature); err != nil {
				return err
			}
		}
	}
	for _, x := range d.TTL {
		if err := g.defineTTL(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// defineTTL says how long elements of a label are there, unless that is said already.
func (g *Graph) defineTTL(ctx context.Context, x DefinedTTL) error {
	class, err := ParseClass(x.Class)
	if err != nil {
		return err
	}
	ttl, err := ParseTTL(value.String(x.TTL))
	if err != nil {
		return fmt.Errorf("label %s: %w", x.Label, err)
	}
	all, err := g.LabelTTLs(ctx, class)
	if err != nil {
		return err
	}
	switch has, ok := all[x.Label]; {
	case ok && has != ttl:
		return illegalArgument("ttl: the graph has another one for label %s of %s: %s", x.Label, class, TTLText(has))
	case ok:
		return nil
	}
	return g.SetLabelTTL(ctx, class, x.Label, ttl)
}
