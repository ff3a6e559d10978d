package artifact

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const (
	featuresInJar = "org/apache/tinkerpop/gremlin/test/features/"
	dataInJar     = "org/apache/tinkerpop/gremlin/structure/io/"
)

// Features returns the folder with TinkerPop's feature files.
func Features(ctx context.Context, cache string) (string, error) {
	dir := filepath.Join(cache, "features-"+Test.Version)
	if _, err := os.Stat(dir); err == nil {
		return filepath.Abs(dir)
	}
	jar, err := Jar(ctx, cache, Test)
	if err != nil {
		return "", err
	}
	if err := unzip(jar, featuresInJar, ".feature", dir); err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}

// DataFiles fills dir/data with the files that the read() scenarios expect in the
// server's working folder.
func DataFiles(ctx context.Context, cache, dir string) error {
	jar, err := Jar(ctx, cache, Test)
	if err != nil {
		return err
	}
	for to, from := range map[string]string{
		"tinkerpop-modern.kryo": "gryo/tinkerpop-modern-v3.kryo",
		"tinkerpop-modern.json": "graphson/tinkerpop-modern-v3.json",
		"tinkerpop-modern.xml":  "graphml/tinkerpop-modern.xml",
	} {
		if err := extract(jar, dataInJar+from, filepath.Join(dir, "data", to)); err != nil {
			return err
		}
	}
	return nil
}

// unzip copies the entries below prefix that end in suffix to dir, which appears
// only when all are there.
func unzip(jar, prefix, suffix, dir string) error {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return fmt.Errorf("open %s: %w", jar, err)
	}
	defer z.Close()
	tmp := dir + ".tmp"
	if err := os.RemoveAll(tmp); err != nil {
		return fmt.Errorf("clear %s: %w", tmp, err)
	}
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, prefix) || !strings.HasSuffix(f.Name, suffix) {
			continue
		}
		if err := copyEntry(f, filepath.Join(tmp, filepath.FromSlash(f.Name[len(prefix):]))); err != nil {
			return err
		}
	}
	return os.Rename(tmp, dir)
}

func extract(jar, entry, to string) error {
	z, err := zip.OpenReader(jar)
	if err != nil {
		return fmt.Errorf("open %s: %w", jar, err)
	}
	defer z.Close()
	for _, f := range z.File {
		if f.Name == entry {
			return copyEntry(f, to)
		}
	}
	return fmt.Errorf("find %s in %s: %w", entry, jar, os.ErrNotExist)
}

func copyEntry(f *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	r, err := f.Open()
	if err != nil {
		return fmt.Errorf("open %s: %w", f.Name, err)
	}
	defer r.Close()
	w, err := os.Create(to)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	if _, err := io.Copy(w, r); err != nil {
		w.Close()
		return fmt.Errorf("unpack %s: %w", f.Name, err)
	}
	return w.Close()
}
