package scripthost

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gremlind/gremlind/traversal/script"
)

// arguments are what every method is tried with.
var arguments = []string{"", "2", "'b'", "[1, 2]", "{ it }", "0, 2", "'b', 'x'", "1, { a, b -> b }", "5, 'b'", "1, 2, 3"}

// untold are methods whose answer is another each time, or that wait.
var untold = []string{"sleep", "random", "now", "today", "currentTime", "nanoTime", "shuffle", "shuffled", "hashCode", "identityHashCode", "Random", "toString", "randomUUID", "hash", "clock", "clockWithResult", "datetime", "currentTimeMillis"}

// identity is Java's text of an object without one, which is another each time.
var identity = regexp.MustCompile(`@[0-9a-f]+`)

// every calls every method of a table on a value, with arguments of all kinds, each in a
// session of its own. Calls that the method does not have are not shown.
func (h *Host) every(ctx context.Context, table, self string) string {
	var b strings.Builder
	for _, name := range script.Builtins()[table] {
		if slices.ContainsFunc(untold, func(s string) bool { return strings.HasSuffix(name, s) }) {
			continue
		}
		call := func(args string) (out string, has bool) {
			text := name + "(" + args + ")"
			if self != "" {
				text = self + "." + text
			}
			out = strings.ReplaceAll(h.Evaluate(ctx, NewSession(h), text, nil), "\n", "; ")
			return out, !strings.Contains(out, "MissingMethod") && !strings.Contains(out, "SecurityException")
		}
		b.WriteString(name + " takes")
		for n, nulls := range []string{"", "null", "null, null", "null, null, null", "null, null, null, null"} {
			if _, has := call(nulls); has {
				fmt.Fprint(&b, " ", n)
			}
		}
		b.WriteByte('\n')
		known := map[string]bool{}
		for _, args := range arguments {
			out, has := call(args)
			if !has || known[out] && strings.HasPrefix(out, "ERROR") {
				continue
			}
			known[out] = true
			out = identity.ReplaceAllString(out, "@")
			fmt.Fprintf(&b, "%s(%s) %.160s\n", name, args, out)
		}
		h.note(table + " " + self + " " + name)
	}
	return b.String()
}

// prefixes evaluates the beginnings of a text, each a word or sign longer than the one before,
// in a session of its own.
func (h *Host) prefixes(ctx context.Context, text string) string {
	var b strings.Builder
	for _, at := range word.FindAllStringIndex(text, -1) {
		out := h.Evaluate(ctx, NewSession(h), text[:at[1]], nil)
		out = strings.ReplaceAll(strings.ReplaceAll(identity.ReplaceAllString(out, "@"), failed, ""), "\n", "; ")
		fmt.Fprintf(&b, "%s\t%.200s\n", text[at[0]:at[1]], out)
	}
	h.note(text)
	return b.String()
}

// failed stands before each message of the compiler.
const failed = "org.codehaus.groovy.control.MultipleCompilationErrorsException: startup failed:\nScript1.groovy: "

var word = regexp.MustCompile(`\w+|[^\w\s]`)
