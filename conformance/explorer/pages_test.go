//go:build explorer

package explorer

import "testing"

// TestSchema: the page of the graph, and a label that leads to its elements.
func TestSchema(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.run("g.call('gremlind.index.createKey', [class: 'vertex', key: 'name'])")
	v.run("g.call('gremlind.schema', [set: [vertex: 'person', keys: [age: [type: 'Integer', min: 0]]]])")
	v.click("Schema")
	v.has("#schema", "Vertex labels")
	v.has("#schema .card", "vertex person")
	v.has("#schema .card", "ACTIVE")
	v.save("schema")
	v.click("software")
	v.has(".status", "2 results")
}

// TestPlan: where the time of a query goes, and what strategies make of it.
func TestPlan(t *testing.T) {
	v := visit(t, start(t, "--sample", "modern"))
	v.has(".picture .note", "6 vertices")
	v.put("g.V().has('name', 'marko').local(out().count());")
	v.click("Profile")
	v.has(".plan .step", "GraphStep")
	v.has(".plan .step", "1 row")
	v.save("profile")
	v.click("Explain")
	v.has(".plan h3", "Strategies that changed it")
	v.save("explain")
	v.run("g.V(1)")
	v.has(".picture .note", "1 vertices")
}

// TestRunning: what runs is listed, and stopped by who may.
func TestRunning(t *testing.T) {
	url := start(t, "--sample", "modern")
	busy, v := visit(t, url), visit(t, url)
	busy.has(".picture .note", "6 vertices")
	v.has(".picture .note", "6 vertices")
	busy.put("g.inject(1).until(is(0)).repeat(identity())")
	busy.click("Run")
	v.click("Running")
	v.has("#running", "until(is(0))")
	v.save("running")
	v.click("kill")
	busy.has(".error", "stopped by an administrator")
	v.has("#running", "Nothing runs")
}

// TestTime: on a graph with history the answers are of when the slider says.
func TestTime(t *testing.T) {
	v := visit(t, start(t, "--memory"))
	v.await("document.querySelector('#source')?.value === 'g'")
	if contains(v.text("#query"), "as of") {
		t.Error("a graph without history has a slider")
	}
	v.run("g.call('gremlind.feature', [on: 'history'])")
	v.wait(1200) // the slider begins in the second after
	v.run("g.addV('early')")
	v.wait(1500)
	v.run("g.addV('late')")
	v.js("document.querySelector('#source').dispatchEvent(new Event('change'))")
	v.has(".time", "as of")
	v.run("g.V()")
	v.has(".status", "2 results")
	v.js("(() => { const r = document.querySelector('.time input'); r.value = 500; r.dispatchEvent(new Event('input')); })()")
	v.has(".status", "1 result ")
	v.save("time")
	v.click("Running")
	v.has("#running", "Nothing runs")
	v.click("Query")
	v.click("now")
	v.has(".status", "2 results")
}
