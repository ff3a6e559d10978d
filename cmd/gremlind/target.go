package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
)

// targetOptions say what a shell talks to, and as whom.
type targetOptions struct {
	url            string
	source         string
	language       string
	user           string
	passwordFile   string
	ca, cert, key  string
	tlsInsecure    bool
	connectTimeout time.Duration
	timeout        time.Duration
	readAhead      int
}

// settle takes the URL that may be the only argument, and returns the configuration.
func (o *targetOptions) settle(f *pflag.FlagSet, args []string) (*config, error) {
	if len(args) > 0 {
		o.url = args[0]
	}
	return loadConfig(f, nil, os.Environ())
}

func (o *targetOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.source, "source", "", "the traversal source that g stands for (the server's g without)")
	f.StringVar(&o.language, "language", "", "gremlin-groovy or gremlin-lang (the server's own without)")
	f.StringVar(&o.user, "user", "", "user name; the password is GREMLIN_PASSWORD, or in --password-file, or asked for")
	f.StringVar(&o.passwordFile, "password-file", "", "file whose first line is the password")
	f.StringVar(&o.ca, "ca", "", "PEM file of who signed the server's certificate")
	f.StringVar(&o.cert, "cert", "", "PEM file of the client's certificate")
	f.StringVar(&o.key, "key", "", "PEM file of its key")
	f.BoolVar(&o.tlsInsecure, "tls-insecure", false, "take any certificate of the server")
	f.DurationVar(&o.connectTimeout, "connect-timeout", 10*time.Second, "most time to connect")
	f.DurationVar(&o.timeout, "timeout", 0, "most time that a query may take (the server's evaluationTimeout without)")
}

// target is what a shell talks to.
type target struct {
	conn *client.Conn
	// place says where it is, for a person.
	place string
	// ask reaches the administration of the server, nil where it is out of reach.
	ask func(ctx context.Context, method, path string, answer any) error
	// end closes what was opened for it.
	end func() error
}

// close ends the connection and what was opened for it.
func (t *target) close() error {
	t.conn.Close()
	if t.end == nil {
		return nil
	}
	return t.end()
}

// find looks for a server: the one that the URL names; or else that of the data
// directory, through its socket; or else the directory itself is opened. Where no
// directory was named, a server on the default port comes before the directory.
func (o *targetOptions) find(ctx context.Context, c *config, stdin io.Reader) (*target, error) {
	if o.url != "" {
		return o.remote(o.url, c, stdin)
	}
	if c.Memory {
		return o.inside(ctx, c, "a graph in memory, gone at the end")
	}
	if t := o.bySocket(ctx, c); t != nil {
		return t, nil
	}
	if c.origin["dataDir"] != "" {
		if _, err := os.Stat(c.DataDir); err != nil {
			return nil, usage("there is no data directory %s: gremlind serve --data-dir %s makes one", c.DataDir, c.DataDir)
		}
		return o.inside(ctx, c, "the data directory "+c.DataDir)
	}
	address := net.JoinHostPort(c.Host, strconv.Itoa(c.Port))
	if listens(ctx, address) {
		scheme := "ws"
		if c.TLS.Enabled {
			scheme = "wss"
		}
		return o.remote(scheme+"://"+address+"/gremlin", c, stdin)
	}
	if _, err := os.Stat(dataPath(c, "FORMAT")); err == nil {
		return o.inside(ctx, c, "the data directory "+c.DataDir)
	}
	return nil, fmt.Errorf("%w to ws://%s/gremlin: no server listens there, and there is no data directory %s; "+
		"name a server's URL or a --data-dir, start one with gremlind serve, or play with --sample modern", client.ErrConnect, address, c.DataDir)
}

func listens(ctx context.Context, address string) bool {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

func (o *targetOptions) options(u *url.URL) client.Options {
	return client.Options{URL: u, ConnectTimeout: o.connectTimeout, ReadAhead: o.readAhead, Agent: "gremlind/" + version}
}

var localURL = &url.URL{Scheme: "ws", Host: "localhost", Path: "/gremlin"}

// bySocket reaches the server of the data directory, nil when none runs.
func (o *targetOptions) bySocket(ctx context.Context, c *config) *target {
	dial := func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", dataPath(c, socketName))
	}
	probe, err := dial(ctx)
	if err != nil {
		return nil
	}
	_ = probe.Close()
	options := o.options(localURL)
	options.Dial = dial
	return &target{
		conn: client.New(options), place: "the server of " + c.DataDir,
		ask: func(ctx context.Context, method, path string, answer any) error {
			return ask(ctx, c, method, path, nil, answer)
		},
	}
}

// inside opens a server in this process.
func (o *targetOptions) inside(ctx context.Context, c *config, place string) (*target, error) {
	e, err := startEmbedded(ctx, c, quiet())
	if err != nil {
		return nil, err
	}
	options := o.options(localURL)
	options.Dial = e.Dial
	t := &target{conn: client.New(options), place: place, end: e.Close}
	if e.server.admin.socket != nil {
		t.ask = func(ctx context.Context, method, path string, answer any) error {
			return ask(ctx, c, method, path, nil, answer)
		}
	}
	return t, nil
}

// remote reaches a server by its URL.
func (o *targetOptions) remote(text string, c *config, stdin io.Reader) (*target, error) {
	u, err := client.ParseURL(text)
	if err != nil {
		return nil, usageError{err}
	}
	options := o.options(u)
	options.User = o.user
	if u.User != nil && o.user == "" {
		options.User = u.User.Username()
	}
	if options.User != "" {
		given, _ := u.User.Password()
		if options.Password, err = o.password(given, stdin); err != nil {
			return nil, err
		}
	}
	u.User = nil
	if options.TLS, err = o.tls(); err != nil {
		return nil, err
	}
	t := &target{conn: client.New(options), place: u.String()}
	if loopback(u.Hostname()) { // further than that a password does not travel without TLS
		t.ask = adminOf(u, c, options.User, options.Password)
	}
	return t, nil
}

// adminOf asks the admin address of a server on this machine: the port behind its own,
// unless the configuration names another.
func adminOf(u *url.URL, c *config, user, password string) func(ctx context.Context, method, path string, answer any) error {
	address := c.Admin
	if host, _, err := net.SplitHostPort(address); err != nil || !loopback(host) {
		port, _ := strconv.Atoi(u.Port()) // the URL has been read
		address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port+1))
	}
	return func(ctx context.Context, method, path string, answer any) error {
		return askHTTP(ctx, method, "http://"+address+path, answer, func(r *http.Request) {
			if user != "" {
				r.SetBasicAuth(user, password)
			}
		})
	}
}

// password finds the password: in the file, in the URL, in the environment, at the
// terminal, or in the first line of what is piped in.
func (o *targetOptions) password(given string, stdin io.Reader) (string, error) {
	if o.passwordFile != "" {
		f, err := os.Open(o.passwordFile)
		if err != nil {
			return "", usageError{err}
		}
		defer f.Close()
		return firstLine(f, o.passwordFile)
	}
	if given != "" {
		return given, nil
	}
	if p, ok := os.LookupEnv("GREMLIN_PASSWORD"); ok {
		return p, nil
	}
	if f, ok := stdin.(*os.File); ok && isTerminal(f) {
		fmt.Fprintf(os.Stderr, "password of %s: ", o.user)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(os.Stderr)
		return string(b), err
	}
	if stdin == nil {
		return "", usage("the standard input is not for the password: it comes from GREMLIN_PASSWORD or --password-file")
	}
	return firstLine(stdin, "the standard input")
}

func firstLine(r io.Reader, name string) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, 4<<10)).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", fmt.Errorf("read the password: %w", err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", usage("%s has no password in its first line", name)
	}
	return line, nil
}

func (o *targetOptions) tls() (*tls.Config, error) {
	conf := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: o.tlsInsecure}
	if o.ca != "" {
		pem, err := os.ReadFile(o.ca)
		if err != nil {
			return nil, usageError{err}
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usage("--ca: %s holds no certificate (PEM)", o.ca)
		}
	}
	if (o.cert == "") != (o.key == "") {
		return nil, usage("--cert and --key go together")
	}
	if o.cert != "" {
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return nil, usage("--cert and --key: %w", err)
		}
		conf.Certificates = []tls.Certificate{pair}
	}
	return conf, nil
}
