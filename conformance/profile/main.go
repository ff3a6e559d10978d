// Command profile makes one profile of many, for the compiler (https://go.dev/doc/pgo).
//
//	go run ./conformance/profile -out cmd/gremlind/default.pgo FILE...
//
// What the compiler does not read is left out: files, addresses, labels and whatever else
// would say on which machine the profiles were made.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/google/pprof/profile"
)

func main() {
	out := flag.String("out", "default.pgo", "file for the profile")
	flag.Parse()
	if err := run(*out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "profile:", err)
		os.Exit(1)
	}
}

func run(out string, files []string) error {
	var all []*profile.Profile
	for _, name := range files {
		p, err := read(name)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, p)
	}
	p, err := join(all)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return fmt.Errorf("create profile: %w", err)
	}
	defer f.Close()
	if err := p.Write(f); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return f.Close()
}

func read(name string) (*profile.Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return profile.Parse(f)
}

// join adds profiles up, by function and line.
func join(all []*profile.Profile) (*profile.Profile, error) {
	p, err := profile.Merge(all)
	if err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	p.Mapping, p.Comments, p.TimeNanos, p.DurationNanos = nil, nil, 0, 0
	for _, f := range p.Function {
		f.Filename, f.SystemName = "", f.Name
	}
	for _, l := range p.Location {
		l.Mapping, l.Address = nil, 0
	}
	for _, s := range p.Sample {
		s.Label, s.NumLabel, s.NumUnit = nil, nil, nil
		s.Location = s.Location[:min(callers, len(s.Location))]
	}
	// What was told apart by address or label alone is one now.
	if p, err = profile.Merge([]*profile.Profile{p}); err != nil {
		return nil, fmt.Errorf("merge: %w", err)
	}
	p.Sample = slices.DeleteFunc(p.Sample, func(s *profile.Sample) bool { return s.Value[0] < rare })
	return p.Compact(), nil
}

// callers is how many calls a sample keeps, the innermost: the outer ones are those of many
// others too, and what is inlined where is decided from pairs.
const callers = 16

// rare is how often a stack must have been met. The others are many, and none of them says
// where time goes; with them the profile is four times as large, and the command by 2 %.
const rare = 3
