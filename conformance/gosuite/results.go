package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Status of a scenario.
const (
	passed    = "passed"
	failed    = "failed"
	undefined = "undefined"
)

type result struct {
	file, name string
	line       int
	status     string
	message    string
}

var (
	runLine      = regexp.MustCompile(`^=== RUN   TestCucumberFeatures/(.*)$`)
	scenarioLine = regexp.MustCompile(`^  .*Scenario:\x1b\[0m (.*) \x1b\[1;30m# (.*):(\d+)\x1b\[0m$`)
	failLine     = regexp.MustCompile(`^ *--- FAIL: TestCucumberFeatures/(.*) \(.*\)$`)
	colour       = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

const (
	// yellowStep begins a step that the suite does not define.
	yellowStep = "    \x1b[33m"
	// redText begins what a failed step says, which may go on for some lines.
	redText      = "    \x1b[1;31m"
	messageLines = 3
)

// parse reads the suite's pretty output: the names of subtests, the scenarios that
// run in them, and at the end which subtests failed.
func parse(out []byte, folder string) []result {
	var results []result
	subtest := map[string]int{} // name of a subtest -> index of its scenario
	current, more := "", 0
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		l := lines.Text()
		last := len(results) - 1
		if m := runLine.FindStringSubmatch(l); m != nil {
			current, more = m[1], 0
		} else if m := scenarioLine.FindStringSubmatch(l); m != nil {
			n, _ := strconv.Atoi(m[3])
			rel, err := filepath.Rel(folder, m[2])
			if err != nil {
				rel = m[2]
			}
			subtest[current] = len(results)
			results = append(results, result{file: rel, name: m[1], line: n, status: passed})
		} else if m := failLine.FindStringSubmatch(l); m != nil {
			if i, ok := subtest[m[1]]; ok {
				results[i].status = failed
			}
		} else if last >= 0 && strings.HasPrefix(l, yellowStep) {
			results[last].status = undefined
		} else if strings.HasPrefix(l, redText) && last >= 0 {
			more = messageLines
		}
		if more > 0 && last >= 0 {
			more--
			results[last].message += strings.TrimSpace(colour.ReplaceAllString(l, "")) + " "
		}
	}
	return results
}

// printResults prints one line per feature file and below it what failed.
func printResults(w io.Writer, results []result, short bool) {
	byFile := map[string][]result{}
	var files []string
	total := map[string]int{}
	for _, r := range results {
		if byFile[r.file] == nil {
			files = append(files, r.file)
		}
		byFile[r.file] = append(byFile[r.file], r)
		total[r.status]++
	}
	sort.Strings(files)
	for _, f := range files {
		count := map[string]int{}
		for _, r := range byFile[f] {
			count[r.status]++
		}
		if short && count[failed] == 0 {
			continue
		}
		fmt.Fprintf(w, "%-44s %4d passed %4d failed %4d undefined\n", f, count[passed], count[failed], count[undefined])
		for _, r := range byFile[f] {
			if r.status == failed {
				fmt.Fprintf(w, "    %s:%d %s: %.300s\n", r.file, r.line, strings.TrimSpace(r.name), r.message)
			}
		}
	}
	fmt.Fprintf(w, "%d scenarios: %d passed, %d failed, %d undefined\n", len(results), total[passed], total[failed], total[undefined])
}
