package main

import (
	"bytes"
	"testing"

	"github.com/google/pprof/profile"
)

// sampled is a profile in which outer called inner, at a place of memory and of a disk.
func sampled(address uint64, ticks int64) *profile.Profile {
	m := &profile.Mapping{ID: 1, File: "/home/somebody/bin/server", Start: 1, Limit: 1 << 40}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7,
		Mapping: []*profile.Mapping{m}, Comments: []string{"of somebody"}, TimeNanos: 1,
	}
	s := &profile.Sample{Value: []int64{ticks, ticks * 1e7}, Label: map[string][]string{"host": {"here"}}}
	for i, name := range []string{"inner", "outer"} {
		f := &profile.Function{ID: uint64(i + 1), Name: name, SystemName: name, Filename: "/home/somebody/" + name + ".go", StartLine: 10}
		l := &profile.Location{ID: uint64(i + 1), Mapping: m, Address: address + uint64(i), Line: []profile.Line{{Function: f, Line: 12}}}
		p.Function, p.Location, s.Location = append(p.Function, f), append(p.Location, l), append(s.Location, l)
	}
	p.Sample = []*profile.Sample{s}
	return p
}

// TestJoin: two profiles of the same call at other addresses are one sample that tells
// nothing of a machine; what is met once or twice is left out.
func TestJoin(t *testing.T) {
	few := sampled(500, rare-1)
	few.Function[0].Name = "seldom"
	p, err := join([]*profile.Profile{sampled(100, 1), few, sampled(900, rare-1)})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	if len(p.Sample) != 1 || p.Sample[0].Value[0] != rare {
		t.Errorf("got %v", p.Sample)
	}
	stack := p.Sample[0].Location
	if len(stack) != 2 || stack[0].Line[0].Function.Name != "inner" || stack[0].Line[0].Line != 12 || stack[1].Line[0].Function.StartLine != 10 {
		t.Errorf("got %v", stack)
	}
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	for _, told := range []string{"somebody", "here", "seldom"} {
		if bytes.Contains(b.Bytes(), []byte(told)) {
			t.Errorf("%q is in it", told)
		}
	}
}
