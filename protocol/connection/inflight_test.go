package connection

import (
	"testing"

	"github.com/google/uuid"

	"github.com/gremlind/gremlind/protocol/message"
	"github.com/gremlind/gremlind/protocol/request"
)

// Of several requests each id is in use until its own request has ended.
func TestInFlight(t *testing.T) {
	const n = 4
	var f inFlight
	asked := func(id uuid.UUID) *request.Task {
		return &request.Task{Arguments: request.Arguments{Req: &message.Request{ID: id}}}
	}
	var all, same []*request.Task
	for range n {
		one := asked(uuid.New())
		all, same = append(all, one), append(same, asked(one.Req.ID))
		if !f.add(one) {
			t.Fatal("an id of its own is refused")
		}
	}
	for first := range n { // each of them ends first once
		for k := range n {
			i := (first + k) % n
			if f.add(same[i]) {
				t.Fatalf("the id of request %d is taken twice", i)
			}
			f.remove(same[i]) // it never had it
			if f.add(same[i]) {
				t.Fatalf("request %d lost its id to one that was refused", i)
			}
			f.remove(all[i])
			left := map[*request.Task]bool{}
			f.each(func(t *request.Task) { left[t] = true })
			if len(left) != n-1-k || left[all[i]] {
				t.Fatalf("%d are left of %d", len(left), n-1-k)
			}
		}
		for _, one := range all {
			if !f.add(one) {
				t.Fatal("an id is in use after its request")
			}
		}
	}
}
