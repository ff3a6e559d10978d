package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// selectFeatures returns a folder with the feature files whose path contains
// filter: the whole folder when filter is empty, else a copy that clean removes.
func selectFeatures(all, filter string) (folder string, clean func(), err error) {
	if filter == "" {
		return all, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "gremlind-features-")
	if err != nil {
		return "", nil, fmt.Errorf("make feature folder: %w", err)
	}
	clean = func() { os.RemoveAll(dir) }
	n := 0
	err = filepath.WalkDir(all, func(path string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(all, path)
		if err != nil || relErr != nil || d.IsDir() || !strings.Contains(strings.ToLower(rel), strings.ToLower(filter)) {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read feature: %w", err)
		}
		n++
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("make feature folder: %w", err)
		}
		return os.WriteFile(to, b, 0o644)
	})
	if err == nil && n == 0 {
		err = fmt.Errorf("no feature file's path contains %q", filter)
	}
	if err != nil {
		clean()
		return "", nil, err
	}
	return dir, clean, nil
}
