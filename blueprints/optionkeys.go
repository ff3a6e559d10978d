package blueprints

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gremlind/gremlind/blueprints/ids"
	"github.com/gremlind/gremlind/storage"
)

// optionKey is an option of a graph as configurations and clients name it.
type optionKey struct {
	name    string
	choices []string // what it takes, nil for a whole number
	get     func(o *Options) string
	set     func(o *Options, text string)       // one of choices
	number  func(o *Options) *int64             // nil where there are choices
	parse   func(o *Options, text string) error // of what is neither
}

var (
	managerNames  = []string{string(ids.Any), string(ids.Integer), string(ids.Long), string(ids.UUID), string(ids.String)}
	isolationKeys = []string{"strict", "snapshot", "committed"} // by storage.Isolation
)

var optionKeys = append([]optionKey{
	managerKey("vertexIdManager", func(o *Options) *ids.Manager { return &o.VertexIDs }),
	managerKey("edgeIdManager", func(o *Options) *ids.Manager { return &o.EdgeIDs }),
	managerKey("vertexPropertyIdManager", func(o *Options) *ids.Manager { return &o.VertexPropertyIDs }),
	flagKey("idsByValue", func(o *Options) *bool { return &o.IDsByValue }),
	{
		name: "defaultVertexPropertyCardinality", choices: []string{cardinalitySingle, cardinalityList, cardinalitySet},
		get: func(o *Options) string { return o.DefaultCardinality },
		set: func(o *Options, text string) { o.DefaultCardinality = text },
	},
	flagKey("allowNullPropertyValues", func(o *Options) *bool { return &o.AllowNull }),
	flagKey(optionTransactional, func(o *Options) *bool { return &o.Transactional }),
	{
		name: "isolation", choices: isolationKeys,
		get: func(o *Options) string { return isolationKeys[o.Isolation] },
		set: func(o *Options, text string) { o.Isolation = storage.Isolation(slices.Index(isolationKeys, text)) },
	},
	flagKey("autoIndex", func(o *Options) *bool { return &o.AutoIndex }),
	{
		name:  OptionHistory,
		get:   func(o *Options) string { return o.History.String() },
		parse: func(o *Options, text string) (err error) { o.History, err = ParseRetention(text); return err },
	},
	flagKey("stamps", func(o *Options) *bool { return &o.Stamps }),
	flagKey("ttl", func(o *Options) *bool { return &o.TTL }),
	flagKey("inMemory", func(o *Options) *bool { return &o.InMemory }),
}, limitKeys...)

const optionTransactional = "transactional"

// OptionHistory is how long what commits overwrite is kept.
const OptionHistory = "history"

func managerKey(name string, of func(*Options) *ids.Manager) optionKey {
	return optionKey{
		name: name, choices: managerNames,
		get: func(o *Options) string { return string(*of(o)) },
		set: func(o *Options, text string) { *of(o) = ids.Manager(text) },
	}
}

func flagKey(name string, of func(*Options) *bool) optionKey {
	return optionKey{
		name: name, choices: []string{"true", "false"},
		get: func(o *Options) string { return strconv.FormatBool(*of(o)) },
		set: func(o *Options, text string) { *of(o) = text == "true" },
	}
}

// numberKey is an option that is a whole number; 0 is none.
func numberKey(name string, of func(*Options) *int64) optionKey {
	return optionKey{
		name: name, number: of,
		get: func(o *Options) string { return strconv.FormatInt(*of(o), 10) },
	}
}

// NewOptions are those of a graph of whose making nothing else is said.
func NewOptions() Options {
	return Options{
		VertexIDs: ids.Any, EdgeIDs: ids.Any, VertexPropertyIDs: ids.Any, IDsByValue: true,
		DefaultCardinality: cardinalitySingle, Transactional: true,
	}
}

// OptionKeys lists the options that a graph can be made with, by the names that Set takes.
func OptionKeys() []string {
	names := make([]string, len(optionKeys))
	for i := range optionKeys {
		names[i] = optionKeys[i].name
	}
	return names
}

// ChangeableKeys lists the options that a graph can change while it is in use.
func ChangeableKeys() []string {
	names := []string{optionTransactional, OptionHistory}
	for i := range limitKeys {
		names = append(names, limitKeys[i].name)
	}
	return names
}

// OptionType says what values an option takes, by the names that scripts have for them.
func OptionType(name string) string {
	switch k := keyOfOption(name); {
	case k == nil:
		return ""
	case k.number != nil:
		return "Long"
	case k.parse != nil:
		return "String"
	case slices.Contains(k.choices, "true"):
		return "Boolean"
	default:
		return "String, one of " + strings.Join(k.choices, " ")
	}
}

// Set sets an option by its name. The error says what it takes.
func (o *Options) Set(name, text string) error {
	k := keyOfOption(name)
	if k == nil {
		return fmt.Errorf("unknown option %q", name)
	}
	if k.number != nil {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			return fmt.Errorf("%s: %q is not a whole number from 0, which is for no limit", name, text)
		}
		*k.number(o) = n
		return nil
	}
	if k.parse != nil {
		return k.parse(o, text)
	}
	if flag, err := strconv.ParseBool(text); err == nil && slices.Contains(k.choices, "true") {
		text = strconv.FormatBool(flag)
	}
	if !slices.Contains(k.choices, text) {
		if len(k.choices) == 2 {
			return fmt.Errorf("%s: %q is not %s", name, text, strings.Join(k.choices, " or "))
		}
		return fmt.Errorf("%s: %q is not one of %v", name, text, k.choices)
	}
	k.set(o, text)
	return nil
}

// Get returns the text by which Set would set an option, "" for none of that name.
func (o *Options) Get(name string) string {
	if k := keyOfOption(name); k != nil {
		return k.get(o)
	}
	return ""
}

func keyOfOption(name string) *optionKey {
	if i := slices.IndexFunc(optionKeys, func(k optionKey) bool { return k.name == name }); i >= 0 {
		return &optionKeys[i]
	}
	return nil
}
