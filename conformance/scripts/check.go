package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// missList holds the statements whose answers differ: graph, statement with \n for the
// ends of lines, reason, separated by tabs.
//
//go:embed misses.tsv
var missList string

// key names a statement.
func key(b block, text string) string { return b.graph + "\t" + strings.ReplaceAll(text, "\n", `\n`) }

func readMisses() (map[string]string, error) {
	reasons := map[string]string{}
	for i, line := range strings.Split(missList, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) != 3 || cols[2] == "" {
			return nil, fmt.Errorf("misses.tsv:%d: want graph, statement and reason", i+1)
		}
		reasons[cols[0]+"\t"+cols[1]] = cols[2]
	}
	return reasons, nil
}

// difference is a statement that was answered otherwise than by the reference.
type difference struct {
	block      block
	text       string
	ours, want string
}

type summary struct {
	distinct, equal int
	unlisted        []difference
	listed          []difference
	stale           []string
}

func (s *summary) good() bool { return len(s.unlisted) == 0 && len(s.stale) == 0 }

// compare plays every block and compares with what is recorded, or with the reference
// when it is there.
func compare(ctx context.Context, blocks []block, ours, theirs *player, misses map[string]string) (*summary, error) {
	s := &summary{}
	seen, differs := map[string]bool{}, map[string]bool{}
	for _, b := range blocks {
		answers, err := ours.play(ctx, b)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.page, err)
		}
		var live []played
		if theirs != nil {
			if live, err = theirs.play(ctx, b); err != nil {
				return nil, fmt.Errorf("%s: %w", b.page, err)
			}
		}
		chancy := b.chancy()
		for i, st := range b.statements {
			k := key(b, st.text)
			if !seen[k] {
				s.distinct++
			}
			seen[k] = true
			if same(b, st, chancy[i], answers[i]) || differs[k] {
				continue
			}
			differs[k] = true
			d := difference{b, st.text, answers[i].answer, st.answer}
			if live != nil {
				d.want = live[i].answer
			}
			if misses[k] == "" {
				s.unlisted = append(s.unlisted, d)
			} else {
				s.listed = append(s.listed, d)
			}
		}
	}
	for k := range misses {
		if !differs[k] {
			s.stale = append(s.stale, k)
		}
	}
	s.equal = s.distinct - len(differs)
	return s, nil
}

// count is the number of results of a recorded answer.
func count(answer string) int {
	answer = answer[len(asText):]
	if rest, ok := strings.CutPrefix(answer, "# "); ok {
		n, _ := strconv.Atoi(strings.SplitN(rest, " ", 2)[0])
		return n
	}
	if answer == "" {
		return 0
	}
	n, depth, quoted := 1, 0, false
	for i := 0; i < len(answer); i++ {
		switch c := answer[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			n++
		}
	}
	return n
}

const shownMax = 600

func clip(s string, verbose bool) string {
	if len(s) > shownMax && !verbose {
		return s[:shownMax] + "..."
	}
	return s
}

func (s *summary) print(w io.Writer, verbose bool) {
	for _, d := range s.unlisted {
		fmt.Fprintf(w, "%s %s\n  > %s\n  want %s\n  have %s\n", d.block.page, d.block.graph,
			strings.ReplaceAll(d.text, "\n", "\n  > "), clip(d.want, verbose), clip(d.ours, verbose))
	}
	for _, k := range s.stale {
		fmt.Fprintf(w, "listed and equal: %s\n", k)
	}
	fmt.Fprintf(w, "%d distinct statements, %d equal (%.2f %%), %d listed, %d not\n", s.distinct, s.equal,
		100*float64(s.equal)/float64(max(s.distinct, 1)), len(s.listed), len(s.unlisted))
}
