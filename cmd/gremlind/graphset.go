package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/blueprints"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// optionText is an option of a graph as blueprints reads it: sizes and times may have units.
func optionText(key, text string) (string, error) {
	switch key {
	case blueprints.OptionBytes, blueprints.OptionMemory, blueprints.OptionRequestMemory:
		n, err := readSize(text, math.MaxInt64-1)
		if err != nil {
			return "", fmt.Errorf("%s: %q: %w", key, text, err)
		}
		return strconv.FormatInt(n, 10), nil
	case blueprints.OptionTimeout:
		d, err := readDuration(text)
		if err != nil {
			return "", fmt.Errorf("%s: %q: %w", key, text, err)
		}
		return strconv.FormatInt(d.Milliseconds(), 10), nil
	}
	return text, nil
}

// optionParam checks KEY=VALUE and makes a parameter of a service of it.
func optionParam(params *value.Map, option string, keys []string) error {
	key, text, ok := strings.Cut(option, "=")
	if !ok {
		return usage("%s: want KEY=VALUE", option)
	}
	if !slices.Contains(keys, key) && slices.Contains(blueprints.OptionKeys(), key) {
		return usage("%s: %s stays as the graph was made; what can change is %s", option, key, strings.Join(keys, ", "))
	}
	o := blueprints.NewOptions()
	text, err := optionText(key, text)
	if err == nil {
		err = o.Set(key, text)
	}
	if err != nil {
		return usage("%s: %s%s", option, err, traversal.Suggestion(key, "", keys))
	}
	params.PutString(key, value.String(text))
	return nil
}

func newGraphSet() *cobra.Command {
	keys := blueprints.ChangeableKeys()
	cmd := &cobra.Command{
		Use: "set [flags] NAME KEY=VALUE... [URL]", Short: "Change what a graph may hold and what may be asked of it",
		Long: `Changes options of a graph, at once and for good, and prints all that can change: ` + strings.Join(keys, ", ") + `.
0 takes a limit away. Sizes and times may have units: quota.bytes=10GiB, limit.evaluationTimeout=5s.`,
		Args: cobra.MinimumNArgs(2),
	}
	o := graphFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) < 2 {
			return usage("want the name of a graph, and what to change: KEY=VALUE")
		}
		params := value.NewMap()
		params.PutString("name", value.String(rest[0]))
		for _, option := range rest[1:] {
			if err := optionParam(params, option, keys); err != nil {
				return err
			}
		}
		all, err := o.call(cmd, "gremlind.graph.set", params, cmd.InOrStdin())
		if err != nil {
			return err
		}
		return printMap(cmd, all)
	}
	return cmd
}
