package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/storage/value"
)

const featureService = "gremlind.feature"

func newGraph() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Make, list and drop graphs, and say what is kept in one",
	}
	feature := &cobra.Command{
		Use:   "feature",
		Short: "List the features that a graph uses, turn one off, or autoIndex, history, stamps or ttl on",
		Long: `Lists the features that a graph uses, or turns one off with all that is kept for it. A data directory none of whose graphs
uses a feature can be opened by the first gremlinds again.`,
	}
	feature.AddCommand(newFeatureList(), newFeatureOn(), newFeatureOff())
	cmd.AddCommand(newGraphCreate(), newGraphList(), newGraphStats(), newGraphSet(), newGraphBackup(), newGraphRestore(), newGraphTruncate(), newGraphDrop(), feature)
	return cmd
}

func newFeatureList() *cobra.Command {
	cmd := &cobra.Command{Use: "list [flags] [URL]", Short: "List the features of a graph, and what each keeps", Args: cobra.MaximumNArgs(1)}
	o := graphFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if rest := o.take(args); len(rest) > 0 {
			return usage("%s is no URL", rest[0])
		}
		all, err := o.call(cmd, featureService, value.NewMap(), cmd.InOrStdin())
		if err != nil {
			return err
		}
		return printFeatures(cmd, all)
	}
	return cmd
}

func printFeatures(cmd *cobra.Command, all []value.Value) error {
	for _, v := range all {
		name, keeps := featureOf(v)
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, keeps); err != nil {
			return err
		}
	}
	return nil
}

func featureOf(v value.Value) (name, keeps string) {
	f, _ := v.Map().GetString("feature")
	k, _ := v.Map().GetString("keeps")
	return f.JavaString(), k.JavaString()
}

func newFeatureOn() *cobra.Command {
	cmd := &cobra.Command{Use: "on [flags] NAME [URL]", Short: "Turn autoIndex on, an index of every property key, history, which keeps what is overwritten, stamps, when elements were added and changed, or ttl, which lets them expire", Args: cobra.RangeArgs(1, 2)}
	o := graphFlags(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) != 1 {
			return usage("want the name of one feature, not %q", rest)
		}
		params := value.NewMap()
		params.PutString("on", value.String(rest[0]))
		all, err := o.call(cmd, featureService, params, cmd.InOrStdin())
		if err != nil {
			return err
		}
		return printFeatures(cmd, all)
	}
	return cmd
}

func newFeatureOff() *cobra.Command {
	yes := false
	cmd := &cobra.Command{Use: "off [flags] NAME [URL]", Short: "Turn a feature off, with all that it keeps", Args: cobra.RangeArgs(1, 2)}
	o := graphFlags(cmd.Flags())
	cmd.Flags().BoolVar(&yes, "yes", false, "do it; without, only what would be lost is said")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rest := o.take(args)
		if len(rest) != 1 {
			return usage("want the name of one feature, not %q", rest)
		}
		params := value.NewMap()
		if yes {
			params.PutString("off", value.String(rest[0]))
		}
		all, err := o.call(cmd, featureService, params, cmd.InOrStdin())
		if err != nil {
			return err
		}
		for _, v := range all {
			name, keeps := featureOf(v)
			switch {
			case name != rest[0]:
			case yes:
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "gone: %s\n", keeps)
				return err
			default:
				return usage("%s would be lost: %s; --yes does it", name, keeps)
			}
		}
		return fmt.Errorf("the graph does not use the feature %s", rest[0])
	}
	return cmd
}
