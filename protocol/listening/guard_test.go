package listening

import (
	"net/http/httptest"
	"testing"
)

func TestGuard(t *testing.T) {
	local, open := Guard{Loopback: true, Hosts: []string{"graph.example"}}, Guard{}
	shared := Guard{Loopback: true, Origins: []string{"https://app.example", "http://localhost:3000"}}
	all := Guard{Loopback: true, Origins: []string{"*"}}
	for name, tc := range map[string]struct {
		g      Guard
		host   string
		header map[string]string
		pass   bool
	}{
		"a client":              {local, "localhost:8182", nil, true},
		"no host":               {local, "", nil, true},
		"no host, an origin":    {local, "", map[string]string{"Origin": "http://evil.example"}, false},
		"an allowed host":       {local, "graph.example:8182", nil, true},
		"rebinding":             {local, "evil.example:8182", nil, false},
		"rebinding, same":       {local, "evil.example:8182", map[string]string{"Origin": "http://evil.example:8182"}, false},
		"any host":              {open, "evil.example:8182", nil, true},
		"same origin":           {local, "localhost:8182", map[string]string{"Origin": "http://localhost:8182"}, true},
		"another port":          {local, "localhost:8182", map[string]string{"Origin": "http://localhost:3000"}, false},
		"foreign":               {open, "graph:8182", map[string]string{"Origin": "https://app.example"}, false},
		"null":                  {local, "localhost:8182", map[string]string{"Origin": "null"}, false},
		"an image":              {local, "localhost:8182", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		"a sibling":             {local, "localhost:8182", map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		"the address bar":       {local, "localhost:8182", map[string]string{"Sec-Fetch-Site": "none"}, true},
		"allowed":               {shared, "localhost:8182", map[string]string{"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, true},
		"allowed, rebinding":    {shared, "evil.example", map[string]string{"Origin": "https://app.example"}, false},
		"allowed, with a path":  {shared, "localhost:8182", map[string]string{"Origin": "https://app.example/"}, false},
		"a longer name":         {shared, "localhost:8182", map[string]string{"Origin": "https://app.example.evil"}, false},
		"another scheme":        {shared, "localhost:8182", map[string]string{"Origin": "http://app.example"}, false},
		"an image, some shared": {shared, "localhost:8182", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		"all":                   {all, "localhost:8182", map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, true},
		"all, an image":         {all, "localhost:8182", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
	} {
		r := httptest.NewRequest("POST", "/gremlin", nil)
		r.Host = tc.host
		for k, v := range tc.header {
			r.Header.Set(k, v)
		}
		if reason := tc.g.refuse(r); (reason == "") != tc.pass {
			t.Errorf("%s: %q", name, reason)
		}
	}
}
