package pebble

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/cockroachdb/pebble/v2"

	"github.com/gremlind/gremlind/storage"
)

// Checkpoint implements storage.Checkpointer. The copy is a data directory of its own, with
// everything that was committed before the call. FORMAT is written last: a copy cut
// short by a crash has none and is refused.
func (s *Store) Checkpoint(ctx context.Context, dir string) error {
	if err := s.occ.Alive(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	if !s.enter() {
		return storage.ErrClosed
	}
	defer s.leave()
	if err := s.checkpoint(dir); err != nil {
		return fmt.Errorf("checkpoint into %s: %w", dir, err)
	}
	return nil
}

func (s *Store) checkpoint(dir string) error {
	if _, err := s.fs.Stat(dir); err == nil {
		return fs.ErrExist
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := s.fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	durable := mark{seq: s.Seq()}
	if err := s.db.Checkpoint(s.fs.PathJoin(dir, dbName), pebble.WithFlushedWAL()); err != nil {
		return err
	}
	var err error
	if durable.manifest, err = markManifest(s.fs, s.fs.PathJoin(dir, dbName), manifestMark{}); err != nil {
		return err
	}
	if err := createWatermark(s.fs, s.fs.PathJoin(dir, watermarkName), durable); err != nil {
		return err
	}
	// The format is read behind the copy: whatever needs a newer one and is in the copy
	// was committed after the format was raised.
	if err := writeFile(s.fs, s.fs.PathJoin(dir, formatName), []byte(formatText(s.Format()))); err != nil {
		return err
	}
	return syncDir(s.fs, s.fs.PathDir(dir))
}
