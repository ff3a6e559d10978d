package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/steps/services"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// The change feed. Who follows a graph may what a call of the service gremlind.changes wants:
// both are decided here by the same functions that decide about traversals.

var _ contract.Feed = (*Engine)(nil)

// feedTurn is for how long Changes goes on, about.
const feedTurn = 100 * time.Millisecond

// changesCall is the traversal that a feed stands for.
var changesCall = &traversal.Bytecode{Steps: []traversal.Instruction{{Name: "call", Args: []value.Value{value.String(services.ChangesName)}}}}

// News returns what wakes who waits for changes.
func (e *Engine) News(who *traversal.Identity, source string) (<-chan struct{}, error) {
	s, err := e.followed(who, source)
	if err != nil {
		return nil, err
	}
	return s.graph.News(), nil
}

// followed returns the source that a feed is of: one that shows its graph as it is.
func (e *Engine) followed(who *traversal.Identity, name string) (*source, error) {
	s, err := e.source(who, name)
	if errors.Is(err, blueprints.ErrNoGraph) {
		return nil, &message.StatusError{Code: http.StatusNotFound, Message: fmt.Sprintf("there is no traversal source or graph %.64q", name)}
	}
	if err != nil {
		return nil, message.InvalidArgs("%s", err)
	}
	if s.options["asOf"].Kind() != value.KindNull {
		return nil, message.InvalidArgs("the source %s fixes asOf: what it shows does not change", s.name)
	}
	for strategy := range s.fixed {
		if !slices.Contains(followable, strategy) {
			return nil, message.InvalidArgs("the source %s has %s, which changes are not told by: follow another source of graph %s", s.name, strategy, s.graph.Name())
		}
	}
	return s, nil
}

// followable are the strategies of a source that hide nothing.
var followable = []string{readOnlyStrategy, "ReservedKeysVerificationStrategy", "EdgeLabelVerificationStrategy", "VertexProgramRestrictionStrategy", "LambdaRestrictionStrategy"}

// Changes tells what commits changed.
func (e *Engine) Changes(ctx context.Context, q *contract.FeedQuery, fn func(contract.Told) (bool, error)) (at contract.Place, err error) {
	s, err := e.followed(q.Identity, q.Source)
	if err != nil {
		return at, err
	}
	work := e.Open(contract.WorkOptions{Identity: q.Identity}).(*work)
	defer work.Close()
	query := &contract.Query{Source: q.Source, Account: q.Account, Request: q.Request}
	work.begin(ctx, query)
	if err := work.permitted(s.graph, changesCall); err != nil {
		return at, err
	}
	var passed storage.Stamp
	if q.Pass {
		passed = pass(ctx, s.graph)
	}
	tx, err := work.tx(ctx, s.graph, false)
	if err == nil {
		err = work.mayReadPast(s.graph)
	}
	if err != nil {
		return at, err
	}
	f := &feeding{tx: tx, account: q.Account, seen: work.seen(tx), told: fn, until: time.Now().Add(feedTurn)}
	if err := f.from(q.After); err != nil {
		return at, err
	}
	at.From = f.cursor(f.at)
	if at.End, err = f.run(); err != nil {
		return at, feedError(err)
	}
	if at.End {
		f.at = max(f.at, passed)
	}
	at.Cursor = f.cursor(f.at)
	return at, nil
}

// pass has the time that it returns be of the past for good, 0 for none.
func pass(ctx context.Context, g *blueprints.Graph) storage.Stamp {
	now := storage.LastOf(time.Now().Add(-time.Millisecond))
	if err := g.Store().PassStamp(ctx, now); err != nil {
		return 0 // the clock was set back, or the request is over
	}
	return now
}

// feeding is one call of Changes.
type feeding struct {
	tx      *blueprints.Tx
	seen    blueprints.View
	account *account.Account
	told    func(contract.Told) (bool, error)
	until   time.Time
	lineage string
	at      storage.Stamp
}

// A cursor is the lineage of a history and a version of it, with a dash between.
func (f *feeding) cursor(at storage.Stamp) string {
	return f.lineage + "-" + strconv.FormatUint(uint64(at), 10)
}

// from finds out where to begin: behind a cursor or a version, at what is kept, or now.
func (f *feeding) from(after string) (err error) {
	floor, err := f.seen.HistoryFloor()
	if err != nil {
		return feedError(err)
	}
	if f.lineage, err = f.tx.Lineage(); err != nil {
		return err
	}
	switch after {
	case "", "0":
		f.at = floor
		return nil
	case "now":
		f.at, err = f.tx.LastVersion()
		return err
	}
	lineage, version, isCursor := strings.Cut(after, "-")
	if !isCursor {
		lineage, version = f.lineage, after
	}
	n, err := strconv.ParseUint(version, 10, 63)
	switch {
	case err != nil || isCursor && lineage == "":
		return message.InvalidArgs("after %s: want a cursor, a version, now, or nothing for all that is kept", value.Brief(after))
	case lineage != f.lineage:
		return &message.StatusError{Code: http.StatusGone, Message: fmt.Sprintf(
			"the cursor %s is of another history of graph %s, which was restored or began anew since: "+beginAgain, value.Brief(after), f.tx.Graph().Name())}
	}
	f.at = storage.Stamp(n)
	return nil
}

// run tells commits, and reports whether these were all.
func (f *feeding) run() (end bool, err error) {
	end = true
	err = f.seen.EachCommit(f.at, 0, false, func(c *blueprints.Commit) (bool, error) {
		f.at = c.Version
		m, err := services.CommitMap(f.seen, c, f.account.Charge)
		if err != nil {
			return false, err
		}
		end = time.Now().Before(f.until)
		if m == nil { // nothing that he sees who asks
			return end, nil
		}
		cursor := f.cursor(c.Version)
		m.PutString("cursor", value.String(cursor))
		more, err := f.told(contract.Told{Cursor: cursor, Commit: m})
		end = end && more
		return end, err
	})
	return end, err
}

// beginAgain is what is left to do for who was away for too long.
const beginAgain = "read the graph again, and go on from after=now"

// feedError gives errors the codes of HTTP.
func feedError(err error) error {
	var before *blueprints.BeforeHistoryError
	var illegal interface{ JavaClass() string }
	switch {
	case errors.As(err, &before):
		return &message.StatusError{Code: http.StatusGone, Message: err.Error() + ": " + beginAgain}
	case errors.As(err, &illegal):
		return message.InvalidArgs("%s", err)
	}
	return err
}
