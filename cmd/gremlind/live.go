package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gremlind/gremlind/protocol/quota"
	"github.com/gremlind/gremlind/protocol/request"
	"github.com/gremlind/gremlind/storage"
	"github.com/gremlind/gremlind/storage/table"
	"github.com/gremlind/gremlind/traversal"
)

// live are the settings that gremlind set changes, also while a server runs, with the
// least number that makes sense: of milliseconds for a time.
var live = map[string]int64{
	"logLevel": 0, "slowQueryMillis": 0, "enableAuditLog": 0,
	"evaluationTimeout": 0, "evaluationTimeoutMax": 1,
	"resultIterationBatchSize": 1, "batchBytes": 1, "responseBytes": 1 << 10, "heldBytes": 0, "resultsMax": 1, "maxParameters": 0,
	"maxWorkQueueSize": 1, "connections": 1, "connectionsPerAddress": 1, "pingsPerSecond": 1,
	"sessions": 0, "sessionsPerUser": 0, "sessionsPerConnection": 0, "sessionTimeout": 1000, "transactionTimeout": 1000,
	"idleConnectionTimeout": 0, "keepAliveInterval": 0, "stallTimeout": 1000, "messageTimeout": 1000, "authenticationTimeout": 1000,
	"queryMemory": 0, "sessionMemory": 1 << 10,
}

func liveKeys() []string { return slices.Sorted(maps.Keys(live)) }

// kept are the settings that gremlind set changed, by key: they are kept in the store.
type kept map[string]string

const keptPrefix = "setting/"

func keptKey(key string) []byte { return table.AppendMeta(nil, table.StoreGraph, keptPrefix+key) }

// readKept returns what gremlind set changed.
func readKept(s storage.Store) (kept, error) {
	snap, err := s.Snapshot()
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	list := kept{}
	from := keptKey("")
	it := snap.Scan(storage.ScanOptions{From: from, To: table.PrefixEnd(nil, from)})
	for it.Next() {
		list[string(bytes.TrimPrefix(it.Key(), from))] = string(it.Value())
	}
	return list, errors.Join(it.Err(), it.Close())
}

// writeKept keeps a value, or none.
func writeKept(ctx context.Context, s storage.Store, key string, text *string) error {
	tx, err := s.Begin(ctx, storage.TxOptions{})
	if err != nil {
		return err
	}
	defer tx.Close()
	if text == nil {
		err = tx.Delete(keptKey(key))
	} else {
		err = tx.Set(keptKey(key), []byte(*text))
	}
	if err == nil {
		_, err = tx.Commit(ctx)
	}
	return err
}

// checkLive reports why a key cannot be changed.
func checkLive(key string) error {
	if _, ok := live[key]; ok {
		return nil
	}
	if findSetting(key) != nil {
		return usage("%s does not change while a server runs: give it in the configuration; gremlind set lists those that do", key)
	}
	return usage("there is no setting %.64q%s", key, traversal.Suggestion(key, "", liveKeys()))
}

// with is the configuration with one more setting that was set, or the reason why not.
func (c *config) with(key, text string) (*config, error) {
	if err := checkLive(key); err != nil {
		return nil, err
	}
	next := *c
	next.origin = maps.Clone(c.origin)
	s := findSetting(key)
	if err := s.set(&next, text, "set"); err != nil {
		return nil, err
	}
	if err := next.checkSet(s, text); err != nil {
		return nil, err
	}
	next.fillMemory()
	return &next, nil
}

// checkSet reports what is wrong with a setting that was set.
func (c *config) checkSet(s *setting, text string) error {
	n := live[s.key]
	switch p := s.ref(c).(type) {
	case *int:
		n = int64(*p)
	case *int64:
		n = *p
	case *time.Duration:
		n = p.Milliseconds()
	}
	if least := live[s.key]; n < least {
		return usage("%s: %s is less than %d: %s", s.key, text, least, s.doc)
	}
	l := &c.Limits
	switch {
	case s.key == "logLevel":
		_, err := logLevel(c.LogLevel)
		return err
	case strings.HasPrefix(s.key, "evaluationTimeout") && l.EvaluationTimeout > l.EvaluationTimeoutMax:
		return usage("evaluationTimeout %s is more than evaluationTimeoutMax %s", l.EvaluationTimeout, l.EvaluationTimeoutMax)
	case s.key == "resultIterationBatchSize" && l.BatchItems > quota.BatchItemsMax:
		return usage("resultIterationBatchSize: %d is more than %d", l.BatchItems, quota.BatchItemsMax)
	}
	return nil
}

// withKept is the configuration with all that was set. What this version does not take is
// left out, and told of.
func (c *config) withKept(list kept) (next *config, left []error) {
	next = c
	for _, key := range inOrder(list) {
		more, err := next.with(key, list[key])
		if err != nil {
			left = append(left, fmt.Errorf("gremlind set: %s=%.64q is left out: %w", key, list[key], err))
			continue
		}
		next = more
	}
	return next, left
}

// inOrder are the keys of what was set, the bounds of others first.
func inOrder(list kept) []string {
	keys := slices.Sorted(maps.Keys(list))
	if i := slices.Index(keys, "evaluationTimeoutMax"); i > 0 {
		keys = slices.Insert(slices.Delete(keys, i, i+1), 0, "evaluationTimeoutMax")
	}
	return keys
}

// liveOf is what of a configuration changes while the server runs.
func liveOf(c *config) request.Live {
	return request.Live{Limits: c.Limits, Audit: c.Audit, SlowQuery: c.SlowQuery}
}

func logLevel(text string) (slog.Level, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(text)); err != nil {
		return level, usage("logLevel: %s", err)
	}
	return level, nil
}
