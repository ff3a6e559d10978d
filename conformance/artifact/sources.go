package artifact

import (
	"context"
	"os"
	"path/filepath"
)

// sources is TinkerPop's release as source, which has what its registries of drivers
// have not: the drivers' own tests.
var sources = Coordinates{Group: "org.apache.tinkerpop", Name: "tinkerpop", Version: TinkerPop, Type: "zip", Classifier: "source-release"}

// PythonTests returns the folder with gremlinpython's own tests.
func PythonTests(ctx context.Context, cache string) (string, error) {
	dir := filepath.Join(cache, "python-tests-"+TinkerPop)
	if _, err := os.Stat(dir); err == nil {
		return filepath.Abs(dir)
	}
	zip, err := Jar(ctx, cache, sources)
	if err != nil {
		return "", err
	}
	if err := unzip(zip, "tinkerpop-"+TinkerPop+"/gremlin-python/src/main/python/tests/", ".py", dir); err != nil {
		return "", err
	}
	return filepath.Abs(dir)
}
