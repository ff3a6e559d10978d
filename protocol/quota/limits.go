package quota

import "time"

// Limits bounds what clients may take. Zero fields take the defaults of DefaultLimits
// unless the comment gives zero a meaning.
type Limits struct {
	// MessageBytes bounds a request: a WebSocket message or an HTTP body (maxContentLength).
	MessageBytes int64
	// HeaderBytes and URIBytes bound an HTTP head (maxHeaderSize, maxInitialLineLength).
	HeaderBytes, URIBytes int
	// Headers bounds the number of header fields of an HTTP request.
	Headers int
	// BatchItems is how many results one response carries (resultIterationBatchSize).
	BatchItems int
	// BatchBytes cuts a batch of large results earlier.
	BatchBytes int
	// ResponseBytes bounds one result. Drivers refuse large responses by settings of
	// their own: Java's and Python's more than 10 MiB (maxContentLength,
	// max_content_length).
	ResponseBytes int
	// HeldBytes is how much of a writing request's answer waits for its commit; what
	// exceeds it is sent before, and then a conflict can no longer run the request again.
	HeldBytes int
	// ResultsMax bounds the results of one request.
	ResultsMax int64
	// Parameters bounds the bindings of a script (maxParameters).
	Parameters int
	// EvaluationTimeout applies when a request names none; EvaluationTimeoutMax bounds
	// what it may name.
	EvaluationTimeout, EvaluationTimeoutMax time.Duration
	// Connections bounds all connections, ConnectionsPerAddress those of one address.
	Connections, ConnectionsPerAddress int
	// InFlight is how many requests of one connection run at once; more wait.
	InFlight int
	// Running is how many requests of all connections evaluate at once (gremlinPool).
	Running int
	// Queue is how many requests may run or wait (maxWorkQueueSize); more get 429.
	Queue int
	// Sessions bounds all sessions, SessionsPerUser those of one user (without
	// authentication of one address), SessionsPerConnection those of one connection.
	Sessions, SessionsPerUser, SessionsPerConnection int
	// SessionIDBytes bounds the name of a session.
	SessionIDBytes int
	// SessionIdle ends a session that is not used; TransactionIdle rolls back its open
	// transaction earlier.
	SessionIdle, TransactionIdle time.Duration
	// SendBytes is how much may wait for a slow client before its requests pause.
	SendBytes int
	// StallTimeout closes a connection whose client takes nothing for so long.
	StallTimeout time.Duration
	// FeedBeat is how often a stream of changes says something while there are none, so that
	// nobody between takes it for dead.
	FeedBeat time.Duration
	// MessageTimeout is how long a started message or body may take to arrive.
	MessageTimeout time.Duration
	// HandshakeTimeout bounds an HTTP head and the WebSocket handshake.
	HandshakeTimeout time.Duration
	// AuthenticationTimeout closes a connection that has not authenticated.
	AuthenticationTimeout time.Duration
	// LoginBytes is what a connection may make the server keep before it has
	// authenticated, with the requests that wait for that; LoginBytesPerAddress is for
	// all such connections of one address.
	LoginBytes, LoginBytesPerAddress int64
	// ParkedRequests is how many requests may wait for the end of the authentication.
	ParkedRequests int
	// PingsPerSecond closes a connection that sends more.
	PingsPerSecond int
	// QueryBytes is what one request may keep: its steps, its script and its answer.
	QueryBytes int64
	// SessionBytes is what the variables of a session may keep.
	SessionBytes int64
	// ConnectionBytes is what a connection's requests that wait and answers that nobody
	// took may keep. It is read no further when they keep more.
	ConnectionBytes int64
	// UserBytes is what all connections of one user may keep, or without authentication
	// of one address; 0 is three quarters of MemoryBytes.
	UserBytes int64
	// MemoryBytes is what all clients may keep.
	MemoryBytes int64
	// ConnectionIdle closes a connection without any message; 0 never.
	ConnectionIdle time.Duration
	// KeepAlive is the interval of the server's pings; 0 sends none.
	KeepAlive time.Duration
}

// DefaultLimits returns the limits of an unconfigured server.
func DefaultLimits() Limits {
	return Limits{
		MessageBytes: 10 << 20, HeaderBytes: 8 << 10, URIBytes: 4 << 10, Headers: 100,
		BatchItems: 64, BatchBytes: 256 << 10, ResponseBytes: 1 << 30, HeldBytes: 4 << 20,
		ResultsMax: 10_000_000, Parameters: 16,
		EvaluationTimeout: 30 * time.Second, EvaluationTimeoutMax: time.Hour,
		Connections: 10_000, ConnectionsPerAddress: 512,
		InFlight: 64, Running: 256, Queue: 8192,
		Sessions: 1000, SessionsPerUser: 500, SessionsPerConnection: 500, SessionIDBytes: 1 << 10,
		SessionIdle: 8 * time.Hour, TransactionIdle: 5 * time.Minute,
		SendBytes: 1 << 20, StallTimeout: 30 * time.Second, FeedBeat: 15 * time.Second, MessageTimeout: 30 * time.Second,
		HandshakeTimeout: 10 * time.Second, AuthenticationTimeout: time.Minute,
		ParkedRequests: 64, PingsPerSecond: 100,
		LoginBytes: 64 << 10, LoginBytesPerAddress: 4 << 20,
		QueryBytes: 1 << 30, SessionBytes: 256 << 20, ConnectionBytes: 64 << 20, MemoryBytes: 4 << 30,
	}
}

func (l *Limits) userMemory() int64 {
	if l.UserBytes > 0 {
		return l.UserBytes
	}
	return l.MemoryBytes / 4 * 3
}

// BatchItemsMax bounds the batchSize that a request may ask for.
const BatchItemsMax = 65536
