package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// told is what a feed says of each commit, without its time, and where to go on.
func (x *timed) told(who *traversal.Identity, source, after string) (list []string, at contract.Place, err error) {
	q := contract.FeedQuery{Identity: who, Source: source, After: x.text(after), Account: account.New(nil, "", math.MaxInt64)}
	at, err = x.e.Changes(context.Background(), &q, func(c contract.Told) (bool, error) {
		changes, _ := c.Commit.GetString("changes")
		list = append(list, changes.JavaString())
		if v, _ := c.Commit.GetString("cursor"); v.Str() != c.Cursor {
			x.Errorf("the cursor %s is said to be %s", c.Cursor, v.Str())
		}
		return true, nil
	})
	return list, at, err
}

// TestFeed tells each commit once, in order, from any version on; a service tells the same.
func TestFeed(t *testing.T) {
	x := openTimed(t)
	want := []string{
		"[{op=set, class=vertex, id=1, key=age, value=30, before=29, propertyBefore=1, property=12}]",
		"[{op=drop, class=vertex, id=4, label=person}, {op=drop, class=edge, id=8, label=knows, out=1, in=4}, " +
			"{op=drop, class=edge, id=10, label=created, out=4, in=5}, {op=drop, class=edge, id=11, label=created, out=4, in=3}]",
		"[{op=add, class=vertex, id=20, label=person}, {op=set, class=vertex, id=20, key=name, value=ann, property=13}]",
	}
	for i, after := range []string{"<v0>", "<v1>", "<v2>", "<v3>"} {
		got, at, err := x.told(traversal.Anyone, "g", after)
		if err != nil || !at.End || fmt.Sprint(got) != fmt.Sprint(want[i:]) {
			t.Errorf("after v%d: %v, %v\nwant %v", i, got, err, want[i:])
		}
		if again, _, err := x.told(traversal.Anyone, "g", at.Cursor); err != nil || len(again) != 0 {
			t.Errorf("behind the last: %v, %v", again, err)
		}
		if again, _, err := x.told(traversal.Anyone, "g", at.From); err != nil || len(again) != len(got) {
			t.Errorf("from %s once more: %v, %v", at.From, again, err)
		}
	}
	for _, all := range []string{"", "0"} {
		if got, _, err := x.told(traversal.Anyone, "modern", all); err != nil || len(got) != len(want) {
			t.Errorf("after %q: %v, %v", all, got, err)
		}
	}
	if got, at, err := x.told(traversal.Anyone, "g", "now"); err != nil || len(got) != 0 || !strings.HasSuffix(at.Cursor, x.text("-<v3>")) {
		t.Errorf("after now: %v, %v, %v", got, at, err)
	}
	x.do("g.call('gremlind.changes',['after':<v0>L]).select('version')", "<v1> <v2> <v3>")
	x.do("g.call('gremlind.changes',['after':'<v1>','limit':1]).select('changes').unfold().select('op')", "drop drop drop drop")
	x.do("g.call('gremlind.changes').count()", "3")
	x.do("g.call('gremlind.changes',['after':-1])", "error: the parameter after is a version, as a Long or its digits, not -1")
	x.do("g.withStrategies(SubgraphStrategy(vertices:hasLabel('person'))).call('gremlind.changes')", "error: changes are not told through a filtered view of the graph")
	x.do("gcrew.call('gremlind.changes')", "error: graph crew keeps no history (setting: history)")
}

// TestFeed_Refuses: what cannot be told is an error with a status of HTTP.
func TestFeed_Refuses(t *testing.T) {
	x := openTimed(t)
	for _, s := range []struct {
		name string
		in   traversal.Instruction
	}{
		{"gpast", with("asOf", value.String("2026-01-01"))},
		{"gsub", traversal.Instruction{Name: "withStrategies", Args: []value.Value{value.Object(value.KindStrategy, &traversal.StrategySpec{Class: "SubgraphStrategy", Config: value.NewMap()})}}},
		{"gread", traversal.Instruction{Name: "withStrategies", Args: []value.Value{value.Object(value.KindStrategy, &traversal.StrategySpec{Class: readOnlyStrategy, Config: value.NewMap()})}}},
	} {
		src, err := newSource(s.name, x.g, []traversal.Instruction{s.in})
		if err != nil {
			t.Fatal(err)
		}
		x.e.sources[s.name] = src
	}
	reader := func(r traversal.Role) *traversal.Identity {
		r.Allow = traversal.ReadRight
		return &traversal.Identity{Name: "ann", Roles: []traversal.Role{r}}
	}
	for _, c := range []struct {
		who           *traversal.Identity
		source, after string
		code          int32
		want          string
	}{
		{traversal.Anyone, "gcrew", "", 499, "graph crew keeps no history (setting: history)"},
		{traversal.Anyone, "gnone", "", 404, `there is no traversal source or graph "gnone"`},
		{traversal.Anyone, "gpast", "", 499, "the source gpast fixes asOf: what it shows does not change"},
		{traversal.Anyone, "gsub", "", 499, "the source gsub has SubgraphStrategy, which changes are not told by: follow another source of graph modern"},
		{traversal.Anyone, "g", "17592186044416", 410, "changes before 17592186044416 are no longer kept (history: forever): read the graph again, and go on from after=now"},
		{traversal.Anyone, "g", "00ff-<v1>", 410, "the cursor 00ff-<v1> is of another history of graph modern, which was restored or began anew since: read the graph again, and go on from after=now"},
		{traversal.Anyone, "g", "yesterday", 499, "after yesterday: want a cursor, a version, now, or nothing for all that is kept"},
		{traversal.Anyone, "g", "-<v1>", 499, "after -<v1>: want"},
		{reader(traversal.Role{Graphs: []string{"crew"}}), "g", "", 404, "there is no traversal source"},
		{reader(traversal.Role{Steps: []string{"!call"}}), "g", "", 0, "user ann may not use the step call()"},
		{&traversal.Identity{Name: "bob"}, "g", "", 0, "user bob may not read graph modern"},
	} {
		_, _, err := x.told(c.who, c.source, c.after)
		var s *message.StatusError
		if err == nil || !strings.Contains(err.Error(), x.text(c.want)) || errors.As(err, &s) != (c.code != 0) || s != nil && s.Code != c.code {
			t.Errorf("%s after %s: %v, want %d %s", c.source, x.text(c.after), err, c.code, x.text(c.want))
		}
		if c.code == 0 && !errors.Is(err, contract.ErrUnauthorized) {
			t.Errorf("%v is no matter of rights", err)
		}
	}
	if got, _, err := x.told(reader(traversal.Role{}), "gread", ""); err != nil || len(got) != 3 {
		t.Errorf("a source that is read-only: %v, %v", got, err)
	}
}

func with(key string, v value.Value) traversal.Instruction {
	return traversal.Instruction{Name: "with", Args: []value.Value{value.String(key), v}}
}

// TestFeed_Denied: what a role denies did not change, and a commit of nothing else was none.
func TestFeed_Denied(t *testing.T) {
	x := openTimed(t)
	ann := &traversal.Identity{Name: "ann", Roles: []traversal.Role{{Name: "r", Allow: traversal.ReadRight, Denied: blueprints.Denied{Keys: []string{"age"}, EdgeLabels: []string{"created"}}}}}
	got, at, err := x.told(ann, "g", "<v0>")
	want := "[{op=drop, class=vertex, id=4, label=person}, {op=drop, class=edge, id=8, label=knows, out=1, in=4}]"
	if err != nil || len(got) != 2 || got[0] != want || !at.End {
		t.Errorf("%q, %v, want first %s", got, err, want)
	}
}

// TestFeed_Lineage: a cursor counts no more when history began anew.
func TestFeed_Lineage(t *testing.T) {
	x := openTimed(t)
	_, at, err := x.told(traversal.Anyone, "g", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, keep := range []blueprints.Retention{blueprints.NoHistory, blueprints.Forever} {
		if err := x.g.KeepHistory(t.Context(), keep); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := x.told(traversal.Anyone, "g", at.Cursor); err == nil || !strings.Contains(err.Error(), "is of another history") {
		t.Error(err)
	}
}

// TestFeed_Meanwhile: who waits for changes of a graph that is emptied, dropped, made anew or keeps no
// history any more is woken at once, and hears of it.
func TestFeed_Meanwhile(t *testing.T) {
	anew := func(x *timed) error {
		o := blueprints.NewOptions()
		o.History = blueprints.Forever
		_, err := x.e.o.Database.CreateGraph("modern", o)
		return err
	}
	drop := func(x *timed) error { return x.e.o.Database.DropGraph("modern") }
	for what, c := range map[string]struct {
		do   func(x *timed) error
		code int32
		want string
	}{
		"emptied":       {func(x *timed) error { return x.g.Truncate(x.Context()) }, 410, "is of another history of graph modern"},
		"no history":    {func(x *timed) error { return x.g.KeepHistory(x.Context(), blueprints.NoHistory) }, 499, "keeps no history"},
		"dropped":       {drop, 404, "there is no traversal source or graph"},
		"made anew":     {func(x *timed) error { return errors.Join(drop(x), anew(x)) }, 410, "is of another history of graph modern"},
		"not forgotten": {func(x *timed) error { return x.g.KeepHistory(x.Context(), blueprints.Retention(time.Hour)) }, 0, ""},
	} {
		x := openTimed(t)
		_, at, err := x.told(traversal.Anyone, "modern", "")
		if err != nil {
			t.Fatal(err)
		}
		news, err := x.e.News(traversal.Anyone, "modern")
		if err := errors.Join(err, c.do(x)); err != nil {
			t.Fatal(what, err)
		}
		woken := c.code == 0
		select {
		case <-news:
			woken = !woken
		case <-time.After(50 * time.Millisecond):
		}
		_, _, err = x.told(traversal.Anyone, "modern", at.Cursor)
		var s *message.StatusError
		if errors.As(err, &s); !woken || (err == nil) != (c.code == 0) || s != nil && (s.Code != c.code || !strings.Contains(s.Message, c.want)) {
			t.Errorf("%s: woken as it should be: %v; %v", what, woken, err)
		}
	}
}

// TestFeed_Horizon: a place that retention has passed is told to be gone, with what is left to do.
func TestFeed_Horizon(t *testing.T) {
	x := openTimed(t)
	_, at, err := x.told(traversal.Anyone, "g", "<v1>")
	if err != nil {
		t.Fatal(err)
	}
	x.do("g.addV('later')", "")
	if err := x.g.KeepHistory(t.Context(), blueprints.Retention(time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := x.g.ForgetHistory(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	var s *message.StatusError
	if _, _, err := x.told(traversal.Anyone, "g", at.From); !errors.As(err, &s) || s.Code != 410 || !strings.HasSuffix(s.Message, "are no longer kept (history: 1s): read the graph again, and go on from after=now") {
		t.Error(err)
	}
	_, at, err = x.told(traversal.Anyone, "g", "now")
	if err != nil {
		t.Fatal(err)
	}
	x.do("g.addV('later')", "")
	if got, _, err := x.told(traversal.Anyone, "g", at.Cursor); err != nil || len(got) != 1 {
		t.Errorf("from now on: %v, %v", got, err)
	}
}

// TestFeed_QuietGraph: who follows a graph that nobody writes to hears how far he is, so that
// forgetting what is old does not leave him behind.
func TestFeed_QuietGraph(t *testing.T) {
	x := openTimed(t)
	q := contract.FeedQuery{Identity: traversal.Anyone, Source: "g", After: "now", Pass: true, Account: account.New(nil, "", math.MaxInt64)}
	<-time.After(5 * time.Millisecond)
	at, err := x.e.Changes(context.Background(), &q, nil)
	if err != nil || at.Cursor <= at.From || !at.End {
		t.Fatal(at, err)
	}
	x.do("g.addV('later')", "")
	if got, _, err := x.told(traversal.Anyone, "g", at.Cursor); err != nil || len(got) != 1 {
		t.Errorf("behind a place that was passed: %v, %v", got, err)
	}
}

// TestFeed_News wakes who waits when there is a commit, and finds it: at once, each time.
func TestFeed_News(t *testing.T) {
	x := openTimed(t)
	_, at, err := x.told(traversal.Anyone, "g", "")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for i := range 50 {
			x.do(fmt.Sprintf("g.V(1).property('age',%d)", 100+i), "")
		}
	}()
	for found := 0; found < 50; {
		news, err := x.e.News(traversal.Anyone, "g")
		if err != nil {
			t.Fatal(err)
		}
		got, now, err := x.told(traversal.Anyone, "g", at.Cursor)
		if err != nil {
			t.Fatal(err)
		}
		found, at = found+len(got), now
		if len(got) > 0 {
			continue
		}
		select {
		case <-news:
		case <-time.After(20 * time.Second):
			t.Fatalf("of 50 commits %d were told", found)
		}
	}
}
