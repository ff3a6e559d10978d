package artifact

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// NewestDrivers is the newest release in PyPI and npm. The registries of the other
// drivers stay at TinkerPop.
const NewestDrivers = "3.8.2"

// Python makes a virtual environment with one release of gremlinpython and what more
// is asked for, and returns its python.
func Python(ctx context.Context, cache, version string, more ...string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(cache, "python-"+version))
	if err != nil {
		return "", fmt.Errorf("locate cache: %w", err)
	}
	python := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(python); err != nil {
		if err := install(ctx, "", "python3", "-m", "venv", dir); err != nil {
			return "", err
		}
	}
	return python, install(ctx, "", python, append([]string{"-m", "pip", "install", "--quiet", "gremlinpython==" + version}, more...)...)
}

// Node installs one release of gremlin from npm and returns the folder of its modules.
func Node(ctx context.Context, cache, version string) (string, error) {
	dir, err := filepath.Abs(filepath.Join(cache, "node-"+version))
	if err != nil {
		return "", fmt.Errorf("locate cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make cache: %w", err)
	}
	return filepath.Join(dir, "node_modules"), install(ctx, dir, "npm", "install", "--silent", "--no-save", "--prefix", dir, "gremlin@"+version)
}

func install(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run %s %s: %w\n%s", name, strings.Join(args, " "), err, out)
	}
	return nil
}
