package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gremlind/gremlind/cmd/gremlind/shell/client"
	"github.com/gremlind/gremlind/cmd/gremlind/shell/render"
)

// takeBackCommands ask the services of history: of a server, or of a data directory that none
// serves. restore is what brings back a backup, so that an element is undropped.
func takeBackCommands() []*cobra.Command {
	limit, force := 0, false
	trash := pastCommand("trash [flags] [URL]", "List what was dropped from a graph with history and is gone, the newest first", 0, 0,
		func([]string) (string, error) { return fmt.Sprintf("gremlind.trash', [limit: %d]", limit), nil })
	trash.Flags().IntVar(&limit, "limit", 100, "how many at most")
	undo := pastCommand("undo [flags] VERSION [URL]", "Take back what a commit changed in a graph with history", 1, 1,
		func(args []string) (string, error) {
			return fmt.Sprintf("gremlind.undo', [version: %s, force: %t]", quoteLang(args[0]), force), nil
		})
	undo.Flags().BoolVar(&force, "force", false, "also what was changed again since")
	return []*cobra.Command{
		trash, undo,
		pastCommand("history [flags] vertex|edge ID [URL]", "List what commits changed of an element, which may be gone", 2, 2, elementCall("gremlind.history")),
		pastCommand("undrop [flags] vertex|edge ID [URL]", "Have an element there again that was dropped", 2, 2, elementCall("gremlind.restore")),
		pastCommand("purge [flags] vertex|edge ID [URL]", "Forget an element, there or gone, with its history, for good", 2, 2, elementCall("gremlind.purge")),
		pastCommand("diff [flags] FROM [TO] [URL]", "List what is different between two versions or times", 1, 2, func(args []string) (string, error) {
			text := "gremlind.diff', [from: " + quoteLang(args[0])
			if len(args) > 1 {
				text += ", to: " + quoteLang(args[1])
			}
			return text + "]", nil
		}),
	}
}

// pastCommand is a command that calls a service, with the parameters that call makes of its
// arguments.
func pastCommand(use, short string, least, most int, call func(args []string) (string, error)) *cobra.Command {
	o := queryOptions{format: string(render.Table)}
	cmd := &cobra.Command{Use: use, Short: short, Args: cobra.RangeArgs(least, most+1)}
	configFlags(cmd.Flags())
	o.flags(cmd.Flags())
	cmd.Flags().StringVar(&o.format, "format", o.format, "table, json (a value a line), csv or graphson (typed, a value a line)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var rest, urls []string
		for _, a := range args {
			if client.IsURL(a) {
				urls = append(urls, a)
			} else {
				rest = append(rest, a)
			}
		}
		if len(rest) < least || len(rest) > most {
			return usage("want %s", strings.TrimPrefix(use, cmd.Name()+" [flags] "))
		}
		text, err := call(rest)
		if err != nil {
			return err
		}
		c, err := loadConfig(cmd.Flags(), nil, os.Environ())
		if err != nil {
			return err
		}
		return runQuery(cmd.Context(), c, o, append([]string{"g.call('" + text + ")"}, urls...), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}

// elementCall calls a service for an element. An id that is a number is sent as one.
func elementCall(service string) func(args []string) (string, error) {
	return func(args []string) (string, error) {
		class, id := args[0], args[1]
		if class != "vertex" && class != "edge" {
			return "", usage("%s: want vertex or edge", class)
		}
		return service + "', [" + class + ": " + literal("element", id) + "]", nil
	}
}
