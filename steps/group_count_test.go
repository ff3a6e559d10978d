package steps

import (
	"testing"

	"github.com/gremlind/gremlind/storage/value"
)

// Memory that runs hand on keeps none of the keys that were counted in it alive.
func TestGroupCount_HandsOnNoKeys(t *testing.T) {
	name := value.String("marko")
	f := &countFront{keys: []value.Value{name, name, name}[:1]} // fewer in the last batch
	f.recent[7] = recentKey{key: name, known: true}
	c := groupCounter{front: f}
	c.release()
	for _, k := range f.keys[:cap(f.keys)] {
		if !k.IsNull() {
			t.Error("a key is kept:", k)
		}
	}
	if f.recent != [len(f.recent)]recentKey{} {
		t.Error("the key that came last is kept")
	}
}
