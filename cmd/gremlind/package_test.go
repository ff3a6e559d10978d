package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestDebianPackage builds the package, installs it into a folder and runs what is there.
func TestDebianPackage(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the package is of linux/amd64")
	}
	for _, tool := range []string{"dpkg", "dpkg-deb"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("this machine has no " + tool)
		}
	}
	out, root := t.TempDir(), t.TempDir()
	command := func(name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "DPKG_DEB_COMPRESSOR_TYPE=gzip", "DPKG_DEB_COMPRESSOR_LEVEL=1") // tighter takes 45 s
		b, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, b)
		}
		return string(b)
	}
	command("sh", "packaging/deb.sh", binary, "1.2.3", out)
	deb := filepath.Join(out, "gremlind_1.2.3_amd64.deb")
	list := command("dpkg-deb", "-c", deb)
	for _, want := range []string{"drwxr-xr-x root/root ", "-rwxr-xr-x root/root "} {
		if !strings.HasPrefix(list, "drwxr-xr-x root/root ") || !strings.Contains(list, want) {
			t.Errorf("modes:\n%s", list)
		}
	}
	for script, want := range map[string]string{"postinst": "daemon-reload", "prerm": "systemctl stop", "postrm": "daemon-reload"} {
		if text := command("dpkg-deb", "-I", deb, script); !strings.Contains(text, want) {
			t.Errorf("%s:\n%s", script, text)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg/updates"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, "var/lib/dpkg/info"), 0o755); err != nil {
		t.Fatal(err)
	}
	dpkg := []string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=/dev/null"}
	command("dpkg", append(dpkg, "-i", deb)...)
	if text := command(filepath.Join(root, "usr/bin/gremlind"), "--version"); !strings.HasPrefix(text, "gremlind ") {
		t.Errorf("got %s", text)
	}
	command(filepath.Join(root, "usr/bin/gremlind"), "config", "--check", filepath.Join(root, "etc/gremlind/gremlin-server.yaml"))
	command("dpkg", append(dpkg, "--purge", "gremlind")...)
	if _, err := os.Stat(filepath.Join(root, "usr/bin/gremlind")); err == nil {
		t.Error("the binary is still there")
	}
}

// TestBinary_Size: the binary is as small as a release must be. Templates are not in it: they
// call methods by names that only they know, so that the linker could leave none out.
func TestBinary_Size(t *testing.T) {
	script, err := os.ReadFile("packaging/dist.sh")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^limit=(\d+)`).FindSubmatch(script)
	if found == nil {
		t.Fatal("dist.sh names no limit")
	}
	limit, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if len(buildFlags) == 0 && len(b) > limit { // not with the race detector
		t.Errorf("%d bytes, more than %d", len(b), limit)
	}
	if bytes.Contains(b, []byte("text/template.(*Template).Execute")) {
		t.Error("something executes templates")
	}
}

// TestContainerfile reads what the image starts with: what is open to the network wants to
// be told how it is protected, the volume belongs to its user, and the health check is a
// command.
func TestContainerfile(t *testing.T) {
	text, err := os.ReadFile("packaging/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	said := map[string]string{}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		said[word] = rest
		if word == "ENV" {
			env = strings.Fields(rest)
		}
	}
	dir := t.TempDir()
	for i, set := range env {
		switch name, _, _ := strings.Cut(set, "="); name {
		case "GREMLIN_YAML":
			env[i] = name + "=packaging/gremlin-server.yaml"
		case "GREMLIND_DATADIR":
			env[i] = name + "=" + dir
		}
	}
	for _, x := range []struct {
		protection string
		code       int
	}{{"GREMLIND_AUTH=false", exitUsage}, {"GREMLIND_AUTH=true", exitUsage}, {"GREMLIND_INSECURE=true", exitDone}} { // passwords need TLS
		c := exec.Command(binary, "config", "--check")
		c.Env = append(append(os.Environ(), env...), x.protection)
		out, _ := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != x.code {
			t.Errorf("%s: exit %d: %s", x.protection, code, out)
		}
	}
	_, command, _ := strings.Cut(said["HEALTHCHECK"], "CMD ")
	if command != `["/usr/bin/gremlind", "health"]` || said["USER"] != "65532:65532" || said["VOLUME"] != "/var/lib/gremlind" {
		t.Errorf("health check %s, user %s, volume %s", command, said["USER"], said["VOLUME"])
	}
	script, err := os.ReadFile("packaging/dist.sh")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "--owner=65532 --group=65532 --mode=0750 var/lib/gremlind") {
		t.Error("the volume is not its user's")
	}
}

func TestDebianVersion(t *testing.T) {
	for described, want := range map[string]string{
		"v1.2.3": "1.2.3", "v1.2.3-4-gabc1234": "1.2.3+4.gabc1234", "v1.3.0-rc1": "1.3.0~rc1", "v1.2.3-dirty": "1.2.3+dirty",
		"a1b2c3d": "0.0~git20260131.a1b2c3d", "a1b2c3d-dirty": "0.0~git20260131.a1b2c3d.dirty",
	} {
		b, err := exec.Command("sh", "packaging/debversion.sh", described, "20260131").Output()
		if err != nil {
			t.Skip("this machine has no sh: ", err)
		}
		if got := strings.TrimSpace(string(b)); got != want {
			t.Errorf("%s: got %s, want %s", described, got, want)
		}
	}
}
