package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
)

// recallSettings has the server begin with what gremlind set changed.
func (s *server) recallSettings() error {
	list, err := readKept(s.db.Store())
	if err != nil {
		return err
	}
	s.base = s.c
	c, left := s.base.withKept(list)
	for _, err := range left {
		s.log.Warn("configuration", "note", err.Error())
	}
	s.c = c
	return s.setLevel(c)
}

func (s *server) setLevel(c *config) error {
	level, err := logLevel(c.LogLevel)
	if err == nil {
		s.level.Set(level)
	}
	return err
}

// change keeps a setting, or none when text is nil, and has it hold at once. What is not
// valid is not kept, and what cannot be kept does not hold.
func (s *server) change(ctx context.Context, key string, text *string) error {
	s.set.Lock()
	defer s.set.Unlock()
	if err := checkLive(key); err != nil {
		return err
	}
	store := s.db.Store()
	list, err := readKept(store)
	if err != nil {
		return err
	}
	delete(list, key)
	c, _ := s.base.withKept(list)
	if text != nil {
		if c, err = c.with(key, *text); err != nil {
			return err
		}
	}
	if err := writeKept(ctx, store, key, text); err != nil {
		return err
	}
	s.gate.Set(liveOf(c))
	return s.setLevel(c)
}

// settingChange is the body of a request about a setting.
type settingChange struct {
	Key   string  `json:"key"`
	Value *string `json:"value,omitempty"`
}

// serveSettings answers what gremlind set changed, and changes it: PUT with a value, or
// DELETE. Only administrators come here.
func (s *server) serveSettings(by string) http.HandlerFunc {
	return answering(func(w http.ResponseWriter, r *http.Request) (any, error) {
		if r.Method == http.MethodGet {
			return readKept(s.db.Store())
		}
		c, err := readChange(w, r)
		if err != nil {
			return nil, usageError{err}
		}
		err = s.change(r.Context(), c.Key, c.Value)
		text, args := "setting changed", []any{"key", c.Key, "value", "(unset)", "by", by, "remote", r.RemoteAddr}
		if c.Value != nil {
			args[3] = *c.Value
		}
		if err != nil {
			text, args = "setting not changed", append(args, "error", err)
		}
		s.gate.Trail().Changed(text, args...)
		return struct{}{}, err
	})
}

// readChange reads what is to be changed.
func readChange(w http.ResponseWriter, r *http.Request) (c settingChange, err error) {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, settingChangeMax))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, err
	}
	switch {
	case r.Method == http.MethodPut && c.Value != nil, r.Method == http.MethodDelete && c.Value == nil:
		return c, nil
	}
	return c, errors.New("want PUT with a key and a value, or DELETE with a key")
}

// settingChangeMax bounds a request about a setting in bytes.
const settingChangeMax = 4 << 10
