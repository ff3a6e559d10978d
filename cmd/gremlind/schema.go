package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints/schema"
	"github.com/gremlind/gremlind/storage/value"
)

const schemaService = "gremlind.schema"

func newSchema() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Show or change the schema of a graph",
		Long: `Shows or changes the rules that the elements of a graph keep to: which keys a label has, of which types and bounds, and
which vertices an edge may join. docs/schema.md has all of them.

The graph is that of --source at the URL; without a URL, of the server of the data directory (--data-dir), which is found
through its socket; when none runs, the directory is opened.`,
	}
	cmd.AddCommand(newSchemaShow(), newSchemaApply(), newSchemaDrop())
	return cmd
}

func newSchemaShow() *cobra.Command {
	cmd := &cobra.Command{Use: "show [flags] [URL]", Short: "Print the schema as YAML, as gremlind schema apply reads it", Args: cobra.MaximumNArgs(1)}
	o := graphFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if rest := o.take(args); len(rest) > 0 {
			return usage("%s is no URL", rest[0])
		}
		all, err := o.call(cmd, schemaService, value.NewMap(), cmd.InOrStdin())
		if err != nil {
			return err
		}
		m, err := oneMap(all)
		if err != nil {
			return err
		}
		return showSchema(cmd.OutOrStdout(), m)
	}
	return cmd
}

// showSchema prints a schema for any graph: the version, which is this one's, is a comment.
func showSchema(out io.Writer, s *value.Map) error {
	rules := value.NewMap()
	for i := range s.Len() {
		k, v := s.Entry(i)
		if k.Str() == "version" {
			if _, err := fmt.Fprintf(out, "# version %s\n", v.JavaString()); err != nil {
				return err
			}
			continue
		}
		rules.Put(k, v)
	}
	return writeYAML(out, rules.Value())
}

func newSchemaApply() *cobra.Command {
	dry := false
	cmd := &cobra.Command{
		Use: "apply [flags] FILE [URL]", Short: "Add the rules of a YAML file to those that hold", Args: cobra.RangeArgs(1, 2),
		Long: `Adds the rules of a YAML or JSON file to those that hold; - is the standard input. What the file does not name stays as it is.
When the elements of the graph do not fit, nothing is changed. The exit code is 3 when --dry-run finds what does not fit.`,
		Example: `  gremlind schema show > schema.yaml
  gremlind schema apply schema.yaml --dry-run ws://localhost:8182/gremlin`,
	}
	o := graphFlags(cmd.Flags())
	cmd.Flags().BoolVar(&dry, "dry-run", false, "change nothing, and say what would not fit")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) != 1 {
			return usage("want one file, not %q", rest)
		}
		rules, err := readSchemaFile(rest[0], cmd.InOrStdin())
		if err != nil {
			return err
		}
		params := value.NewMap()
		params.PutString("set", rules)
		if dry {
			params.PutString("dryRun", value.Bool(true))
		}
		return o.change(cmd, params)
	}
	return cmd
}

func readSchemaFile(name string, stdin io.Reader) (value.Value, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return value.Null, usageError{err}
		}
		defer f.Close()
		in = f
	}
	v, err := readYAML(io.LimitReader(in, schema.TextMax))
	if err != nil {
		return v, usage("%s: %v", name, err)
	}
	return v, nil
}

func newSchemaDrop() *cobra.Command {
	dry := false
	cmd := &cobra.Command{
		Use: "drop [flags] vertex|edge LABEL [KEY...] [URL]", Short: "End the rules of a label, or of some of its keys", Args: cobra.MinimumNArgs(2),
	}
	o := graphFlags(cmd.Flags())
	cmd.Flags().BoolVar(&dry, "dry-run", false, "change nothing, and say what would not fit")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) < 2 || rest[0] != "vertex" && rest[0] != "edge" {
			return usage("want vertex or edge, and a label, not %q", rest)
		}
		what := value.NewMap()
		what.PutString(rest[0], value.String(rest[1]))
		if len(rest) > 2 {
			what.PutString("keys", value.Of(rest[2:]))
		}
		params := value.NewMap()
		params.PutString("drop", what.Value())
		if dry {
			params.PutString("dryRun", value.Bool(true))
		}
		return o.change(cmd, params)
	}
	return cmd
}

// change calls the service for a change, and says what became of it.
func (o *graphTarget) change(cmd *cobra.Command, params *value.Map) error {
	all, err := o.call(cmd, schemaService, params, nil)
	if err != nil {
		return err
	}
	m, err := oneMap(all)
	if err != nil {
		return err
	}
	version, _ := m.GetString("version")
	unfit, dry := m.GetString("unfit")
	if !dry {
		_, err = fmt.Fprintf(cmd.OutOrStdout(), "version %s\n", version.JavaString())
		return err
	}
	for _, u := range unfit.Elems() {
		if _, err := fmt.Fprintln(cmd.OutOrStdout(), u.JavaString()); err != nil {
			return err
		}
	}
	if n := len(unfit.Elems()); n > 0 {
		return fmt.Errorf("%w: the graph does not fit", errRejected)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "everything fits; it would be version %s\n", version.JavaString())
	return err
}
