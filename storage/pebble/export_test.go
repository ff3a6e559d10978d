package pebble

import "github.com/cockroachdb/pebble/v2"

// DB lets tests flush, compact and damage what lies beneath.
func (s *Store) DB() *pebble.DB { return s.db }

// Tick lets tests do the keeper's work at a time of their choice.
func (s *Store) Tick() { s.keeper.tick(s) }
