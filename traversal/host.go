package traversal

import (
	"context"
	"io"

	"github.com/gremlind/gremlind/storage/value"
)

// Host is what a run reaches beyond its graph. The server implements it; what it
// refuses is a clear error that names the setting.
type Host interface {
	// OpenRead and OpenWrite reach files inside the configured io folder only.
	OpenRead(name string) (io.ReadCloser, error)
	OpenWrite(name string) (io.WriteCloser, error)
	// Service returns the service that call(name) reaches.
	Service(name string) (Service, bool)
	// ServiceNames lists the services, sorted.
	ServiceNames() []string
}

// ServiceKind says where in a traversal a service may stand.
type ServiceKind string

// The kinds, by the names that call("--list") prints.
const (
	StartService     ServiceKind = "Start"
	StreamingService ServiceKind = "Streaming"
	BarrierService   ServiceKind = "Barrier"
)

// Service is something call() reaches.
type Service interface {
	Name() string
	Kinds() []ServiceKind
	// Params lists the parameters with their meaning.
	Params() []ServiceParam
	// Right is what a call with these parameters wants of who asks: WriteRight where it changes
	// the graph or what it keeps besides, as its indexes; without any it is asked about the
	// call that does most.
	Right(params *value.Map) Right
	// Call runs the service with merged parameters.
	Call(c ServiceCall) (Cursor, error)
}

// ServiceParam is one parameter of a service.
type ServiceParam struct {
	Name string
	Type string // of the value, in Java's words; "" where the name says it
	Doc  string
}

// ServiceCall is one call of a service.
type ServiceCall struct {
	Ctx context.Context
	Run *Run
	// In is the object of the traverser; Start is set when the service begins the
	// traversal and there is none.
	In     value.Value
	Bulk   int64 // how many traversers it stands for
	Start  bool
	Params *value.Map
}
