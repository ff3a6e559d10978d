package main

import (
	"regexp"
	"strings"
)

// What is compared of an answer, besides the answer as it is. Every rule is about what
// statements do, none about a single one.

var (
	orders = regexp.MustCompile(`\border\(|\.sort\b|\.sort\(|\.sort\{|\.order\b`)
	// picks are the steps and methods that take some of their input; which, depends on an
	// order that nobody promises when nothing was ordered.
	picks = regexp.MustCompile(`\b(limit|range|tail|skip|dedup|index)\b|next\(\d|next\(\)|take\(|[\w)\]]\[\d`)
	// chances are those that pick by chance, or by a clock.
	chances = regexp.MustCompile(`\b(sample|shuffle|shuffled|nextInt|Random|random|timeLimit|clock|clockWithResult|runtime)\b`)
	// draws are those of them whose number of results is of chance too.
	draws = regexp.MustCompile(`\b(coin|timeLimit)\b`)
	// drops are those of closures and lists that leave some out.
	drops = regexp.MustCompile(`\b(unique|grep|findAll)\b`)
	// asksID ends in the ids of elements, ownID in those of vertex properties, which each
	// server numbers for itself.
	asksID = regexp.MustCompile(`\.id\(\)$`)
	ownID  = regexp.MustCompile(`\bproperties\([^()]*\)\.id\(\)$`)
	// assigned is a statement that sets a variable.
	assigned = regexp.MustCompile(`^(?:def\s+)?(\w+)\s*=[^=~]`)
	// walks are steps that lead from one object to several, in an order of the graph's own.
	walks = map[string]bool{"out": true, "in": true, "both": true, "outE": true, "inE": true, "bothE": true, "V": true, "E": true, "repeat": true}
)

// calls lists the names that are called in a statement outside of all brackets.
func calls(text string) []string {
	var names []string
	depth, quote, from := 0, byte(0), -1
	for i := 0; i < len(text); i++ {
		c := text[i]
		word := c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
		switch {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case word && from < 0:
			from = i
		case strings.IndexByte("([{", c) >= 0:
			if depth == 0 && from >= 0 {
				names = append(names, text[from:i])
			}
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		}
		if !word {
			from = -1
		}
	}
	return names
}

// isOrdered reports whether the order of a statement's results counts: it orders, and does
// not walk on from there.
func isOrdered(text string) bool {
	if !orders.MatchString(text) {
		return false
	}
	ordered := false
	for _, name := range calls(text) {
		switch {
		case name == "order" || name == "sort":
			ordered = true
		case walks[name] && ordered:
			return false
		}
	}
	return true
}

// picksBlindly reports whether a statement takes some of what is not ordered yet.
func picksBlindly(text string) bool {
	if !picks.MatchString(text) {
		return false
	}
	if !orders.MatchString(text) {
		return true
	}
	for _, name := range calls(text) {
		switch {
		case name == "order" || name == "sort":
			return false
		case picks.MatchString(name):
			return true
		}
	}
	return false
}

// chancy says for each statement whether chance decides its answer: it picks by chance,
// or uses a variable that such a statement set.
func (b block) chancy() []bool {
	out := make([]bool, len(b.statements))
	var names []string
	for i, s := range b.statements {
		out[i] = chances.MatchString(s.text)
		for _, name := range names {
			out[i] = out[i] || regexp.MustCompile(`\b`+name+`\b`).MatchString(s.text)
		}
		if set := assigned.FindStringSubmatch(s.text); set != nil && out[i] {
			names = append(names, set[1])
		}
	}
	return out
}

// same compares an answer with the recorded one: as they are, but where chance decides,
// or on the air routes a statement picks of what was not ordered, by the number of results.
func same(b block, st statement, chancy bool, p played) bool {
	if compact(p.answer, p.results) == st.answer {
		return true
	}
	if p.answer[0] == '!' || st.answer[0] == '!' {
		return false
	}
	if draws.MatchString(st.text) || chancy && drops.MatchString(st.text) {
		return true
	}
	if chancy || ownID.MatchString(st.text) || b.graph == "airroutes" && picksBlindly(st.text) {
		return p.results == count(st.answer)
	}
	return false
}
