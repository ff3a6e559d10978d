package corpus

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/conformance/bench/cputime"
	"github.com/gremlind/gremlind/conformance/bench/heap"
	"github.com/gremlind/gremlind/conformance/bench/raced"
	"github.com/gremlind/gremlind/conformance/client"
	"github.com/gremlind/gremlind/protocol/graphbinary"
	"github.com/gremlind/gremlind/protocol/graphson"
	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
)

const (
	requestBytes = 150 << 10              // of a request, about
	readMax      = 300 * time.Millisecond // of computing: a tenth of a second for a request of 10 MB would be
	freeMax      = 300 << 10              // bytes in use that nobody was charged for
)

// codec is a way to write the arguments of a request, and to read them.
type codec struct {
	name    string
	request func(args *value.Map) ([]byte, error)
	message.Codec
	older bool // reads with the code of GraphSON 3, of which it has less
}

// tries reports whether the codec reads that kind in that form: an older one reads every
// kind in lists and maps, and every form of numbers and texts.
func (c codec) tries(kind value.Kind, form string) bool {
	return !c.older || form == "list" || form == "map" || kind == value.KindInt || kind == value.KindString
}

func codecs() []codec {
	list := []codec{{"GraphBinary", func(args *value.Map) ([]byte, error) {
		b, err := client.Encode(uuid.New(), "", "eval", args)
		return b[min(len(b), 1+len(message.MimeGraphBinary)):], err
	}, graphbinary.Codec{}, false}}
	for version := range 3 {
		c := graphson.Codec{Version: version + 1}
		list = append(list, codec{fmt.Sprint("GraphSON ", c.Version), func(args *value.Map) ([]byte, error) {
			b := fmt.Appendf(nil, `{"requestId":"%s","op":"eval","processor":"","args":`, uuid.NewString())
			b, err := c.AppendValue(b, args.Value(), nil)
			return append(b, '}'), err
		}, c, c.Version < 3})
	}
	return list
}

// TestCodecs_Requests has codecs read values of every kind in every form: what is in use
// behind that was charged, and no form takes long to read.
func TestCodecs_Requests(t *testing.T) {
	for i, c := range codecs() {
		for j, kind := range Kinds() {
			if local[kind] {
				continue
			}
			for k, f := range Forms {
				if !c.tries(kind, f.Name) || raced.Leaves(i+j+k, 4) {
					continue
				}
				what := fmt.Sprintf("%s: %s as %s", c.name, kind, f.Name)
				sample := func(i int) value.Value { v, _ := Sample(kind, i); return v }
				if b := requestOf(c, f.Make, sample); b != nil {
					checkRead(t, what, c, b)
				}
			}
		}
	}
}

// requestOf is a request of about requestBytes, or as long as it becomes: a set of Booleans
// has two members however many are put in. It is nil when nobody can write it.
func requestOf(c codec, make func(func(int) value.Value, int) value.Value, sample func(int) value.Value) []byte {
	for n, last := 400, 0; ; {
		args := value.NewMap()
		args.PutString("gremlin", value.String("g.V()"))
		args.PutString("x", make(sample, n))
		b, err := c.request(args)
		if err != nil {
			return nil
		}
		if len(b) > requestBytes/2 || len(b) < last+last/4 || n > 100_000 {
			return b
		}
		last = len(b)
		n *= max(2, min(requestBytes/max(len(b), 1), 100))
	}
}

func checkRead(t *testing.T, what string, c codec, b []byte) {
	t.Helper()
	memory := account.New(nil, "queryMemory", 1<<30)
	enough := func() int64 { return memory.Used() + memory.Used()/4 + freeMax }
	before, began := allocated(), cputime.Own()
	_, _ = c.DecodeRequest(b, memory)
	if took := cputime.Own() - began; took > readMax {
		t.Errorf("%s: %d bytes took %v to read", what, len(b), took)
	}
	if allocated()-before <= enough() {
		return // with all garbage
	}
	memory.Clear()
	before = heap.InUse()
	q, err := c.DecodeRequest(b, memory)
	if grown, charged := heap.InUse()-before, memory.Used(); grown > enough() {
		t.Errorf("%s: %d bytes, %d are in use, %d were charged (%.60s)", what, len(b), grown, charged, strings.TrimSpace(fmt.Sprint(err)))
	}
	runtime.KeepAlive(q)
}

func allocated() int64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
