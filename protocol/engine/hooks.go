package engine

import (
	"context"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/contract"
	"github.com/gremlind/gremlind/traversal"
	"github.com/gremlind/gremlind/traversal/plancache"
	"github.com/gremlind/gremlind/traversal/script"
	"github.com/gremlind/gremlind/traversal/script/host"
)

// Hooks are a server's own scripts, which run when it starts and ends.
type Hooks struct {
	Startup *script.Startup
	Host    host.StartupHost
}

// Up runs what the scripts do when the server starts, as one request of somebody who may
// do everything: all of it is committed, or none.
func (e *Engine) Up(ctx context.Context, h Hooks) error { return e.runHooks(ctx, h, h.Startup.Up) }

// Down runs what they do when it ends.
func (e *Engine) Down(ctx context.Context, h Hooks) error { return e.runHooks(ctx, h, h.Startup.Down) }

func (e *Engine) runHooks(ctx context.Context, h Hooks, run func(context.Context, *script.Session) error) error {
	w := &work{e: e, o: contract.WorkOptions{Session: true, Identity: traversal.Anyone}, hook: h.Host, ctx: ctx, q: &contract.Query{}, query: &plancache.Query{}, by: blueprints.Author{By: "startup script"}}
	defer w.Close()
	if err := run(ctx, w.scripts()); err != nil {
		return err
	}
	return w.Commit(ctx, true)
}
