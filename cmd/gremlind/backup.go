package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/protocol/audit"
	"github.com/gremlind/gremlind/storage"
)

func newBackup() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "backup [flags] DIR",
		Short: "Copy the data directory, also while the server runs",
		Long: `Writes a consistent copy of the whole data directory into DIR, which must not exist. When a server runs on it, the
server is asked over the socket in it and keeps serving; the copy holds everything acknowledged before the call.`,
		Args: cobra.ExactArgs(1),
	}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		dir, err := filepath.Abs(args[0])
		if err != nil {
			return err
		}
		return runBackup(cmd.Context(), c, dir, cmd.ErrOrStderr())
	}
	return cmd
}

func runBackup(ctx context.Context, c *config, dir string, stderr io.Writer) error {
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s exists already; name a directory that does not", dir)
	}
	err := askBackup(ctx, c, dir)
	if errors.Is(err, errNoServer) {
		err = offlineBackup(ctx, c, dir)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "backup written to %s\n", dir)
	return nil
}

// askBackup asks the server that runs on the data directory.
func askBackup(ctx context.Context, c *config, dir string) error {
	form := url.Values{"dir": {dir}}
	return ask(ctx, c, http.MethodPost, "/backup?"+form.Encode(), nil, nil)
}

func absolute(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

func offlineBackup(ctx context.Context, c *config, dir string) error {
	if _, err := os.Stat(c.DataDir); err != nil { // opening would make one
		return fmt.Errorf("open data directory: %w", err)
	}
	s, err := openStore(c, quiet())
	if err != nil {
		return err
	}
	return errors.Join(checkpoint(ctx, s, dir), s.Close())
}

var errNoCheckpoint = errors.New("this store does not lie in a directory: back it up with the means of what keeps it")

// checkpoint copies a store into a directory.
func checkpoint(ctx context.Context, s storage.Store, dir string) error {
	c, ok := s.(storage.Checkpointer)
	if !ok {
		return errNoCheckpoint
	}
	return c.Checkpoint(ctx, dir)
}

// serveBackup answers on the admin address: there a backup is written beneath backupDir
// only, and named rather than placed.
func (s *server) serveBackup(w http.ResponseWriter, r *http.Request) {
	dir, err := backupPlace(s.c.BackupDir, r.FormValue("dir"))
	if err != nil {
		s.gate.Trail().Refused(audit.User, "backup refused", "dir", r.FormValue("dir"), "remote", r.RemoteAddr, "error", err)
		answerBackup(w, http.StatusBadRequest, err.Error())
		return
	}
	s.backup(w, r, dir)
}

// backupPlace is where a backup of a name is written: directly beneath the folder, so
// that no link on the way leads elsewhere.
func backupPlace(folder, name string) (string, error) {
	if folder == "" {
		return "", errors.New("backups over the admin address are switched off: backupDir names the folder that they are written to")
	}
	folder, err := filepath.EvalSymlinks(absolute(folder))
	if err != nil {
		return "", fmt.Errorf("backupDir: %w", err)
	}
	if !filepath.IsLocal(name) || name == "." || strings.ContainsAny(name, `/\`) {
		return "", errors.New("dir must be the plain name of a folder that is made beneath backupDir")
	}
	dir := filepath.Join(folder, name)
	if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s exists in backupDir already; name a folder that does not", name)
	}
	return dir, nil
}

// serveBackupAnywhere answers the backup command over the data directory's socket:
// whoever asks is the user that the server runs as, and could write there too.
func (s *server) serveBackupAnywhere(w http.ResponseWriter, r *http.Request) {
	dir := r.FormValue("dir")
	if !filepath.IsAbs(dir) {
		answerBackup(w, http.StatusBadRequest, "dir must be an absolute path")
		return
	}
	s.backup(w, r, dir)
}

func (s *server) backup(w http.ResponseWriter, r *http.Request, dir string) {
	if s.c.Memory {
		answerBackup(w, http.StatusConflict, "this server keeps everything in memory")
		return
	}
	if err := checkpoint(r.Context(), s.db.Store(), dir); err != nil {
		s.log.Error("backup", "dir", dir, "error", err)
		answerFailure(w, err)
		return
	}
	s.gate.Trail().Changed("backup", "dir", dir)
	answerBackup(w, http.StatusOK, "done")
}

func answerBackup(w http.ResponseWriter, code int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(failure{Message: message}) // the client may be gone
}

func newRestore() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "restore [flags] BACKUP",
		Short: "Make a data directory from a backup",
		Long:  `Copies a backup into the data directory, which must be empty or not exist, and checks that it opens.`,
		Args:  cobra.ExactArgs(1),
	}
	configFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		return runRestore(args[0], c.DataDir)
	}
	return cmd
}

// syncTree makes every file and directory below root durable.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// runRestore copies beside the target and renames, so that a copy cut short is never
// taken for a data directory.
func runRestore(backup, dataDir string) error {
	entries, err := os.ReadDir(dataDir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("the data directory %s is not empty; restore only into an empty one", dataDir)
	}
	part := absolute(dataDir) + ".restoring"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(part), 0o700); err != nil {
		return err
	}
	if err := os.CopyFS(part, os.DirFS(backup)); err != nil {
		return fmt.Errorf("copy %s: %w", backup, err)
	}
	if err := syncTree(part); err != nil {
		return err
	}
	s, err := openCopy(part, quiet())
	if err != nil {
		return errors.Join(fmt.Errorf("%s is not a whole backup: %w", backup, err), os.RemoveAll(part))
	}
	if err := errors.Join(blueprints.RenewLineages(context.Background(), s), s.Close()); err != nil {
		return err
	}
	if err := os.Remove(dataDir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return os.Rename(part, dataDir)
}
