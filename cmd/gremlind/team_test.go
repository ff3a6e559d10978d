package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// teamCommands are the commands of the page that set a team up, as words.
func teamCommands(t *testing.T, page string) [][]string {
	t.Helper()
	_, section, ok := strings.Cut(page, "\n## A team")
	section, _, end := strings.Cut(section, "\n## ")
	if !ok || !end {
		t.Fatal("docs/security.md has no section about a team")
	}
	var commands [][]string
	for _, line := range strings.Split(section, "\n") {
		if line, ok := strings.CutPrefix(line, "    gremlind "); ok {
			words := strings.Fields(line)
			for i := range words {
				words[i] = strings.Trim(words[i], "'")
			}
			commands = append(commands, words)
		}
	}
	return commands
}

// teamRows are the table of the page: what each of the five asks, in the graph shop/eu, and
// the answers.
var teamRows = []struct {
	what, text string
	want       map[string]string // by user; "" for who is not named; ! and what a refusal says
}{
	{"reads", "g.V().count()", map[string]string{"shop-app": "1", "": "2"}},
	{"sees iban", "g.V().has('iban','DE1').count()", map[string]string{"payments-app": "1", "bob": "1", "": "0"}},
	{"writes", "g.addV('note').id().fold().count(local)", map[string]string{"reports-app": "!may not write", "ann": "!may not write", "": "1"}},
	{"writes iban", "g.V().hasLabel('customer').property('iban','DE1').count()",
		map[string]string{"payments-app": "1", "bob": "1", "shop-app": "!may not write the property key iban", "": "!may not write"}},
	{"writes Payment", "g.addV('Payment').count()", map[string]string{"payments-app": "1", "bob": "1", "shop-app": "!may not write vertices of label Payment", "": "!may not write"}},
	{"indexes", "g.call('gremlind.index.createKey',[class:'vertex',key:'name']).iterate()", map[string]string{"payments-app": "", "bob": "", "": "!"}},
	{"call()", "g.call('gremlind.names').limit(1).count()", map[string]string{"reports-app": "!may not use the step call()", "": "1"}},
	{"io()", "g.io('x.json').write().iterate()", map[string]string{"reports-app": "!may not", "ann": "!may not", "": ""}},
	{"makes graphs", "g.call('gremlind.graph.create',[name:'shop/new']).count()", map[string]string{"bob": "1", "": "!"}},
	{"drops graphs", "g.call('gremlind.graph.drop',[name:'shop/new',confirm:'shop/new']).iterate()", map[string]string{"bob": "", "": "!"}},
	{"sees hr", "g.call('gremlind.graph.list').is('hr').count()", map[string]string{"bob": "1", "reports-app": "!", "": "0"}},
}

var team = []string{"shop-app", "payments-app", "reports-app", "ann", "bob"}

// TestTeam runs the commands of docs/security.md and asks what its table says, by passwords
// and by tokens with the same roles.
func TestTeam(t *testing.T) {
	page, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	dir, roles := t.TempDir(), map[string]string{}
	for _, words := range teamCommands(t, string(page)) {
		if out, code := pipe(t, "a password\n", append(words, "--data-dir", dir)...); code != exitDone {
			t.Fatalf("%v: %s", words, out)
		}
		if words[0] == "user" && words[1] == "add" {
			roles[words[2]] = words[4]
		}
	}
	if len(roles) != len(team) {
		t.Fatalf("the page makes %v", roles)
	}
	secret := []byte(strings.Repeat("known to two ", 4))
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, secret, 0o600); err != nil {
		t.Fatal(err)
	}
	p := serve(t, "--data-dir", dir, "--auth", "--admin", "127.0.0.1:0",
		"--set", "jwt.secretFile="+file, "--set", "jwt.audience=graphs", "--set", "ioDir="+t.TempDir())
	for _, graph := range []string{"shop/eu", "hr"} {
		if got := askFrom(t, p, "g", basicOf("bob", "a password"), "g.call('gremlind.graph.create',[name:'"+graph+"'])"); strings.HasPrefix(got, "!") {
			t.Fatal(got)
		}
	}
	logins := map[string]func(user string) string{
		"password": func(user string) string { return basicOf(user, "a password") },
		"token": func(user string) string {
			return "Bearer " + mint(t, secret, user, time.Hour, map[string]any{"roles": roles[user]})
		},
	}
	for how, login := range logins {
		for _, text := range []string{"g.V().drop().iterate()", "g.addV('customer').property('iban','DE1').addV('Payment').iterate()"} {
			if got := askFrom(t, p, "shop/eu", login("bob"), text); strings.HasPrefix(got, "!") {
				t.Fatal(text, got)
			}
		}
		for _, row := range teamRows {
			for _, user := range team {
				want, named := row.want[user]
				if !named {
					want = row.want[""]
				}
				if got := askFrom(t, p, "shop/eu", login(user), row.text); !matchesRow(got, want) {
					t.Errorf("%s by %s: %s: got %s, want %s", user, how, row.what, got, want)
				}
			}
		}
		for _, user := range team {
			got := askFrom(t, p, "hr", login(user), "g.V().count()")
			if user == "bob" && got != "0" || user != "bob" && !strings.Contains(got, "[hr]") {
				t.Errorf("%s by %s in hr: %s", user, how, got)
			}
			r, _ := http.NewRequest(http.MethodGet, "http://"+p.admin()+"/metrics", nil)
			r.Header.Set("Authorization", login(user))
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if (resp.StatusCode == 200) != (user == "bob") {
				t.Errorf("%s by %s: /metrics: %d", user, how, resp.StatusCode)
			}
		}
	}
}

// askFrom posts a text whose g is a source, and returns the answer as text, or ! and the
// error.
func askFrom(t *testing.T, p *process, source, authorization, text string) string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+p.addr+"/gremlin", strings.NewReader(
		fmt.Sprintf(`{"gremlin":%q,"language":"gremlin-lang","aliases":{"g":%q}}`, text, source)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/plain")
	r.Header.Set("Authorization", authorization)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		return "!" + string(b)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(b)), "==>")
}
