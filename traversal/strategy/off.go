package strategy

import "github.com/gremlind/gremlind/traversal"

// visible strategies optimize, but what they do shows in results: where traversers
// merge (LazyBarrierStrategy, which PathRetractionStrategy decides), which limit acts
// first (EarlyLimitStrategy). The reference's answers depend on them.
var visible = map[string]bool{
	"LazyBarrierStrategy": true, "PathRetractionStrategy": true, "EarlyLimitStrategy": true,
}

// SwitchOff removes from a traversal what only makes it faster, so that tests can
// compare the answers with and without.
func SwitchOff(o *traversal.SourceOptions) {
	for _, name := range Invisible() {
		o.Without[name] = true
	}
}

// Invisible names the strategies that only make traversals faster, in the order in which
// they apply.
func Invisible() []string {
	var names []string
	for _, s := range order {
		if (s.Category == Optimization || s.Category == Provider) && s.Default && !visible[s.Name] {
			names = append(names, s.Name)
		}
	}
	return names
}
