package quota

import (
	"reflect"
	"testing"

	"github.com/gremlind/gremlind/storage/account"
)

// TestHolders_List: who keeps most stands first, and who is gone nowhere.
func TestHolders_List(t *testing.T) {
	limits := DefaultLimits()
	var s Holders
	s.Init(account.New(nil, "memory", 1<<30), func() *Limits { return &limits })
	ann, here, gone := s.Enter(UserHolder, "ann"), s.Enter(AddressHolder, "127.0.0.1"), s.Enter(StrangerHolder, "::1")
	for h, n := range map[*Holder]int64{ann: 10, here: 2000} {
		if err := h.Account.Charge(n); err != nil {
			t.Fatal(err)
		}
	}
	s.Exit(gone)
	if got, want := s.List(), []Held{{"address", "127.0.0.1", 2000}, {"user", "ann", 10}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
