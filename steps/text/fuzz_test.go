package text

import "testing"

// FuzzTemplate looks for templates that lose text.
func FuzzTemplate(f *testing.F) {
	f.Add("%{a} %%{b} %{c")
	f.Fuzz(func(t *testing.T, s string) {
		p := parseTemplate(s)
		back := p.texts[0]
		for i, name := range p.names {
			back += "%{" + name + "}" + p.texts[i+1]
		}
		if back != s {
			t.Errorf("%q comes back as %q", s, back)
		}
	})
}
