package steps_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/gremlind/gremlind/conformance/queryhost"
	"github.com/gremlind/gremlind/storage/account"
	"github.com/gremlind/gremlind/storage/value"
	"github.com/gremlind/gremlind/traversal"
)

// oneFile is a host whose folder has one file.
type oneFile struct {
	traversal.Host
	text string
}

func (f oneFile) OpenRead(string) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(f.text)), nil
}

// TestIO_Charged: reading a file is charged for the ids that its edges may name, beside what
// the transaction writes, and ends where they are too many.
func TestIO_Charged(t *testing.T) {
	const vertices = 5000
	var file strings.Builder
	for i := range vertices {
		fmt.Fprintf(&file, `{"id":{"@type":"g:Int32","@value":%d},"label":"person"}`+"\n", i)
	}
	g, err := queryhost.New(t).Get(t.Context(), "empty")
	if err != nil {
		t.Fatal(err)
	}
	h := newHostile(t)
	code := &traversal.Bytecode{Steps: []traversal.Instruction{instruction("io", value.String("a.json")), instruction("read")}}
	read := func(most int64) (int64, error) {
		tx, err := begin(t.Context(), g, true)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Close()
		plan, err := traversal.Compile(nil, h.registry, code)
		if err != nil {
			t.Fatal(err)
		}
		memory := account.New(nil, "queryMemory", most)
		run := &traversal.Run{}
		err = run.Open(plan, traversal.Env{Ctx: t.Context(), Registry: h.registry, View: tx, Mutator: tx, Account: memory, Host: oneFile{text: file.String()}})
		if err == nil {
			err = run.Next(&traversal.Batch{}, 64)
		}
		return memory.Used(), err
	}
	if n, err := read(1 << 30); err != nil || n < vertices*64 {
		t.Errorf("%d bytes were charged, %v", n, err)
	}
	if _, err := read(100 << 10); err == nil || !strings.Contains(err.Error(), "queryMemory") || !strings.Contains(err.Error(), "gremlind import") {
		t.Errorf("with too little memory: %v", err)
	}
}
