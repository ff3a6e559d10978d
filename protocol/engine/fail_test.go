package engine

import (
	"errors"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/steps"
	"github.com/gremlind/gremlind/traversal"
)

// TestFailReport: what fail() tells of the traverser and of where it stands is what Gremlin
// Server tells, but for the names of loops.
func TestFailReport(t *testing.T) {
	const plain, rich = "  Bulk   > 1\n", "  Bulk   > 1\n  Sack   > null\n  Loops  > 0\n  S/E    > {}\n"
	e := open(t)
	for script, want := range map[string]string{
		`g.V(1).fail()`:                "Message  > fail() step triggered\nTraverser> v[1]\n" + plain + "Traversal> V((int) 1).fail()\nMetadata > {}",
		`g.V(1).fail("msg")`:           "Message  > msg\nTraverser> v[1]\n" + plain + "Traversal> V((int) 1).fail(\"msg\")\nMetadata > {}",
		`g.V(1).fail("msg", ["a": 1])`: "Message  > msg\nTraverser> v[1]\n" + plain + "Traversal> V((int) 1).fail(\"msg\",[\"a\": (int) 1])\nMetadata > {a=1}",
		`g.V(1).as("a").fail("lp")`:    "Message  > lp\nTraverser> v[1]\n" + rich + "Traversal> V((int) 1).as(\"a\").fail(\"lp\")\nMetadata > {}",
		`g.V(1).out("created").path().fail("m")`: "Message  > m\nTraverser> path[v[1], v[3]]\n  Bulk   > 1\n  Sack   > null\n  Path   > path[v[1], v[3], path[v[1], v[3]]]\n  Loops  > 0\n  S/E    > {}\n" +
			"Traversal> V((int) 1).out(\"created\").path().fail(\"m\")\nMetadata > {}",
		`g.withSack(1).V(1).fail("m")`: "Message  > m\nTraverser> v[1]\n" + strings.Replace(rich, "null", "1", 1) + "Traversal> withSack((int) 1).V((int) 1).fail(\"m\")\nMetadata > {}",
		`g.withSideEffect("y", [1, 2]).V(1).fail("m")`: "Message  > m\nTraverser> v[1]\n" + strings.Replace(rich, "{}", "{y=[1, 2]}", 1) +
			"Traversal> withSideEffect(\"y\",[(int) 1, (int) 2]).V((int) 1).fail(\"m\")\nMetadata > {}",
		`g.V().has("name", "marko").aggregate("x").fail("se")`: "Message  > se\nTraverser> v[1]\n" + strings.Replace(rich, "{}", "{x={v[1]=1}}", 1) +
			"Traversal> V().has(\"name\",\"marko\").aggregate(\"x\").fail(\"se\")\nMetadata > {}",
		`g.V(1).where(__.out("created").fail("inner"))`: "Message  > inner\nTraverser> v[3]\n" + plain +
			"Traversal> out(\"created\").fail(\"inner\")\nParent   > TraversalFilterStep [V((int) 1).where(__.out(\"created\").fail(\"inner\"))]\nMetadata > {}",
		`g.V(1).repeat(__.out("created").fail("deep")).times(2)`: "Message  > deep\nTraverser> v[3]\n" + rich +
			"Traversal> out(\"created\").fail(\"deep\")\nParent   > RepeatStep [V((int) 1).repeat(__.out(\"created\").fail(\"deep\")).times((int) 2)]\nMetadata > {}",
		`g.V(1).project("a", "b").by("name").by(__.out("created").fail("pr"))`: "Message  > pr\nTraverser> v[3]\n" + plain +
			"Traversal> out(\"created\").fail(\"pr\")\nParent   > ProjectStep [V((int) 1).project(\"a\",\"b\").by(\"name\").by(__.out(\"created\").fail(\"pr\"))]\nMetadata > {}",
		`g.V(1).union(__.in(), __.out("knows").local(__.values("age").is(gt(27)).fail("u")))`: "Message  > u\nTraverser> 32\n" + plain +
			"Traversal> values(\"age\").is(P.gt((int) 27)).fail(\"u\")\nParent   > LocalStep [out(\"knows\").local(__.values(\"age\").is(P.gt((int) 27)).fail(\"u\"))]\nMetadata > {}",
		`g.V(1, 1, 1).barrier().fail("bulk")`: "Message  > bulk\nTraverser> v[1]\n  Bulk   > 3\nTraversal> V((int) 1,(int) 1,(int) 1).barrier().fail(\"bulk\")\nMetadata > {}",
		`g.V(1).fail(null)`:                   "Message  > null\nTraverser> v[1]\n" + plain + "Traversal> V((int) 1).fail(null)\nMetadata > {}",
		`g.inject(1.5d).fail()`:               "Message  > fail() step triggered\nTraverser> 1.5\n" + plain + "Traversal> inject(1.5d).fail()\nMetadata > {}",
	} {
		w := e.Open(contract.WorkOptions{Identity: traversal.Anyone})
		_, err := results(w, query(languageGroovy, script))
		w.Close()
		var f *steps.Failure
		if !errors.As(err, &f) {
			t.Errorf("%s: %v", script, err)
			continue
		}
		width := 0
		for _, line := range strings.Split(want, "\n") {
			width = max(width, len(line))
		}
		rule := strings.Repeat("=", width)
		if got := f.FailMessage(); got != "fail() Step Triggered\n"+rule+"\n"+want+"\n"+rule {
			t.Errorf("%s:\n%s\nwant\n%s", script, got, want)
		}
	}
}
