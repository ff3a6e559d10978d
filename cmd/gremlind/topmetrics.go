package main

import (
	"bufio"
	"math"
	"slices"
	"strconv"
	"strings"
)

// series are the values of metrics, by name and labels as Prometheus writes them.
type series map[string]float64

// readMetrics reads Prometheus' text format: a line is a series and its value. What is none is
// left out.
func readMetrics(text string) series {
	all := series{}
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		i := strings.LastIndexByte(line, ' ')
		if i < 0 || line[0] == '#' {
			continue
		}
		if n, err := strconv.ParseFloat(line[i+1:], 64); err == nil {
			all[line[:i]] = n
		}
	}
	return all
}

// sum adds the series of a name whose labels fit; nil fits all.
func (s series) sum(name string, fits func(labels string) bool) (n float64) {
	for key, v := range s {
		if is, labels, _ := strings.Cut(key, "{"); is == name && (fits == nil || fits(labels)) {
			n += v
		}
	}
	return n
}

// quantiles are upper bounds of times in ms, within which a part of all requests between two
// samples was answered: those of the buckets of a histogram, -1 behind the last, 0 for none.
func quantiles(before, now series, parts ...float64) []float64 {
	counts := map[float64]float64{}
	for key, n := range now {
		rest, ok := strings.CutPrefix(key, "gremlind_request_seconds_bucket{")
		if !ok {
			continue
		}
		_, bound, _ := strings.Cut(rest, `le="`)
		bound, _, _ = strings.Cut(bound, `"`)
		if le, err := strconv.ParseFloat(bound, 64); err == nil {
			counts[le] += n - before[key]
		}
	}
	var bounds []float64
	for le := range counts {
		bounds = append(bounds, le)
	}
	slices.Sort(bounds)
	out := make([]float64, len(parts))
	if len(bounds) == 0 {
		return out
	}
	all := counts[bounds[len(bounds)-1]] // of +Inf
	for i, part := range parts {
		for _, le := range bounds {
			if all > 0 && counts[le] >= part*all {
				if out[i] = le * 1e3; math.IsInf(le, 1) {
					out[i] = -1
				}
				break
			}
		}
	}
	return out
}
