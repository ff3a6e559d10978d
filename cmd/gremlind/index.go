package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// indexClient sends calls of the gremlind.index services to a server.
type indexClient struct {
	url, source    string
	user, password string
}

func newIndex() *cobra.Command {
	o := &indexClient{}
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Administer indexes of a running server",
		Long: `Administer indexes of a running server: key indexes and declared ones (unique or of several
keys), which it keeps by itself and looks values up in, and named indexes, whose entries are
put by hand.`,
	}
	f := cmd.PersistentFlags()
	f.StringVar(&o.url, "url", "http://localhost:"+envPort()+"/gremlin", "the server")
	f.StringVar(&o.source, "source", "g", "the traversal source")
	f.StringVar(&o.user, "user", "", "user name; the password is read from the standard input")
	for _, c := range []struct {
		use, short, service string
		params              []string
	}{
		{"create-key CLASS KEY", "Index a property key of all vertices or edges", "createKey", []string{"class", "key"}},
		{"drop-key CLASS KEY", "Drop a key index", "dropKey", []string{"class", "key"}},
		{"keys [CLASS]", "List key indexes", "keys", []string{"class"}},
		{"drop NAME", "Drop a named or declared index", "drop", []string{"name"}},
		{"list", "List named and declared indexes", "list", nil},
		{"verify NAME", "Compare a declared index with the elements", "verify", []string{"name"}},
		{"hide NAME", "Keep look-ups from a declared index, to try what dropping it would do", "hide", []string{"name"}},
		{"show NAME", "Let look-ups use it again", "show", []string{"name"}},
		{"get NAME KEY VALUE", "List the elements of a named index under a key and value", "get", []string{"name", "key", "value"}},
		{"count NAME KEY VALUE", "Count them", "count", []string{"name", "key", "value"}},
		{"query NAME KEY", "List the elements under a key", "query", []string{"name", "key"}},
		{"put NAME KEY VALUE ELEMENT", "Put an element, by its id, into a named index", "put", []string{"name", "key", "value", "element"}},
		{"remove NAME KEY VALUE ELEMENT", "Take it out", "remove", []string{"name", "key", "value", "element"}},
	} {
		least := len(c.params) - strings.Count(c.use, "[")
		cmd.AddCommand(&cobra.Command{Use: c.use, Aliases: []string{c.service}, Short: c.short, Args: cobra.RangeArgs(least, len(c.params)),
			RunE: func(cmd *cobra.Command, args []string) error {
				entries := make([]string, len(args))
				for i, arg := range args {
					entries[i] = c.params[i] + ": " + literal(c.params[i], arg)
				}
				return o.run(cmd, c.service, entries)
			}})
	}
	cmd.AddCommand(newIndexCreate(o))
	return cmd
}

// newIndexCreate makes the command that makes indexes of a name.
func newIndexCreate(o *indexClient) *cobra.Command {
	var label, direction, analyzer string
	var unique, now bool
	cmd := &cobra.Command{
		Use: "create CLASS NAME [KEY]...", Short: "Make a declared index on keys, or without keys a named one", Args: cobra.MinimumNArgs(2),
		Example: `  gremlind index create vertex email email --label person --unique
  gremlind index create vertex city_age city age --label person
  gremlind index create vertex t title --analyzer trigram`,
		RunE: func(cmd *cobra.Command, args []string) error {
			entries := []string{"class: " + strconv.Quote(args[0]), "name: " + strconv.Quote(args[1])}
			if keys := args[2:]; len(keys) > 0 {
				quoted := make([]string, len(keys))
				for i, k := range keys {
					quoted[i] = strconv.Quote(k)
				}
				entries = append(entries, "keys: ["+strings.Join(quoted, ", ")+"]")
			}
			for _, f := range []struct{ name, text string }{
				{"label", strconv.Quote(label)}, {"unique", strconv.FormatBool(unique)}, {"direction", strconv.Quote(direction)},
				{"analyzer", strconv.Quote(analyzer)},
			} {
				if cmd.Flags().Changed(f.name) {
					entries = append(entries, f.name+": "+f.text)
				}
			}
			if now {
				entries = append(entries, "wait: false")
			}
			return o.run(cmd, "create", entries)
		},
	}
	f := cmd.Flags()
	f.StringVar(&label, "label", "", "the label of the elements; all without")
	f.BoolVar(&unique, "unique", false, "no two elements may have the same values")
	f.StringVar(&direction, "direction", "", "OUT, IN or BOTH: an index of the edges of each vertex")
	f.StringVar(&analyzer, "analyzer", "", "an index of texts, trigram or words, or of points, geo")
	f.BoolVar(&now, "no-wait", false, "do not wait until the index is built")
	return cmd
}

// run calls a service of indexes and prints what it answers.
func (o *indexClient) run(cmd *cobra.Command, service string, entries []string) error {
	if o.user != "" {
		var err error
		if o.password, err = readPassword(cmd.InOrStdin()); err != nil {
			return err
		}
	}
	return o.call(cmd.Context(), service, entries, cmd.OutOrStdout())
}

// envPort is the port that a server started in this environment listens on.
func envPort() string {
	if port := os.Getenv("GREMLIND_PORT"); port != "" {
		return port
	}
	return strconv.Itoa(defaultConfig().Port)
}

// call sends the call as gremlin-lang; the arguments travel in the text as literals.
func (o *indexClient) call(ctx context.Context, service string, entries []string, out io.Writer) error {
	script := fmt.Sprintf("g.call('gremlind.index.%s', [%s])", service, strings.Join(entries, ", "))
	if len(entries) == 0 {
		script = fmt.Sprintf("g.call('gremlind.index.%s')", service)
	}
	body, err := json.Marshal(map[string]any{"gremlin": script, "language": "gremlin-lang", "aliases": map[string]string{"g": o.source},
		"evaluationTimeout": 3_600_000})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, o.url, bytes.NewReader(body))
	if err != nil {
		return usageError{err}
	}
	req.Header.Set("Accept", "text/plain")
	if o.user != "" {
		req.SetBasicAuth(o.user, o.password)
	}
	resp, err := insecureClient().Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		var failure struct{ Message string }
		if json.Unmarshal(b, &failure) != nil || failure.Message == "" {
			failure.Message = resp.Status
		}
		return fmt.Errorf("%s", failure.Message)
	}
	if len(b) == 0 {
		return nil
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if _, err := fmt.Fprintln(out, strings.TrimPrefix(line, "==>")); err != nil {
			return err
		}
	}
	return nil
}

// literal writes an argument as gremlin-lang: numbers and truth values as they are
// where a value or an id is meant, all else as text.
func literal(param, arg string) string {
	if param == "value" || param == "element" {
		if _, err := strconv.ParseFloat(arg, 64); err == nil || arg == "true" || arg == "false" {
			return arg
		}
	}
	return strconv.Quote(arg)
}
