package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/storage/value"
)

// Commands that call a service of a graph, of a server that runs or of a data directory.

// graphTarget is the flags of such a command.
type graphTarget struct{ targetOptions }

// graphFlags declares them.
func graphFlags(f *pflag.FlagSet) *graphTarget {
	o := &graphTarget{}
	configFlags(f)
	o.flags(f)
	return o
}

// take takes a URL out of the arguments, wherever it stands.
func (o *graphTarget) take(args []string) (rest []string) {
	for _, a := range args {
		if client.IsURL(a) && o.url == "" {
			o.url = a
			continue
		}
		rest = append(rest, a)
	}
	return rest
}

// call calls a service with parameters and returns what it answers.
func (o *graphTarget) call(cmd *cobra.Command, service string, params *value.Map, stdin io.Reader) (all []value.Value, err error) {
	c, err := o.settle(cmd.Flags(), nil)
	if err != nil {
		return nil, err
	}
	ctx := cmd.Context()
	t, err := o.find(ctx, c, stdin)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	return o.ask(ctx, t, service, params)
}

func (o *graphTarget) ask(ctx context.Context, t *target, service string, params *value.Map) ([]value.Value, error) {
	rows, err := t.conn.Submit(ctx, &client.Request{
		Gremlin: "g.call(" + quoteLang(service) + ", " + langText(params.Value()) + ")", Language: "gremlin-lang",
		Source: o.source, Timeout: o.timeout,
	})
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []value.Value
	for {
		some, err := rows.Next()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, some...)
	}
}

// langText writes a value as gremlin-lang does: what a document of YAML may hold.
func langText(v value.Value) string {
	switch k := v.Kind(); {
	case k == value.KindMap:
		m := v.Map()
		entries := make([]string, m.Len())
		for i := range entries {
			name, e := m.Entry(i)
			entries[i] = quoteLang(name.JavaString()) + ":" + langText(e)
		}
		if len(entries) == 0 {
			return "[:]"
		}
		return "[" + strings.Join(entries, ",") + "]"
	case k == value.KindList:
		parts := make([]string, len(v.Elems()))
		for i, e := range v.Elems() {
			parts[i] = langText(e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case k == value.KindString:
		return quoteLang(v.Str())
	case k == value.KindLong:
		return strconv.FormatInt(v.Int64(), 10) + "L"
	case k == value.KindDouble:
		return strconv.FormatFloat(v.Float64(), 'g', -1, 64) + "d"
	case k == value.KindNull:
		return "null"
	}
	return v.JavaString()
}

func quoteLang(s string) string { return strconv.Quote(s) }

// oneMap is the single map that a service answers with.
func oneMap(all []value.Value) (*value.Map, error) {
	if len(all) == 1 && all[0].Map() != nil {
		return all[0].Map(), nil
	}
	return nil, fmt.Errorf("the server's answer is not one map but %d results: is it an older gremlind?", len(all))
}
