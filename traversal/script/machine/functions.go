package machine

import (
	"sync"
	"sync/atomic"
)

// FunctionsMax is how many bytes of functions are kept when nothing else is said.
const FunctionsMax = 16 << 20

// codePerByte is how many bytes the code of a function takes at most for each byte of its text,
// beside the text.
const codePerByte = 128

// functionBytes is what a function takes at least.
const functionBytes = 512

// Functions are functions that outlive the script that defined them: those of the
// server, which every script can call and none can replace, and those of each owner,
// which nobody else sees. When they take more than Max bytes, the owner's who holds most
// is forgotten that was used least recently. It is safe for concurrent use.
type Functions struct {
	Max int64 // bytes; FunctionsMax when it is 0

	mu     sync.RWMutex
	fixed  map[string]*Function
	users  map[string]*userFunctions
	bytes  int64
	clock  atomic.Int64
	lastID uint64
}

// userFunctions are what one user holds, in sessions and outside.
type userFunctions struct {
	bytes  int64
	byName map[scopedName]*keptFunction
}

// scopedName is the name of a function in a session, or in 0 for outside.
type scopedName struct {
	session uint64
	name    string
}

type keptFunction struct {
	fn    *Function
	bytes int64
	used  atomic.Int64 // the clock when it was used last
}

// Scope is what one owner sees of Functions: a user, or one session of a user.
type Scope struct {
	fs      *Functions
	user    string
	session uint64
}

// Of returns the functions of a user outside sessions.
func (fs *Functions) Of(user string) Scope { return Scope{fs: fs, user: user} }

// Session returns the functions of a new session of a user. Forget ends them.
func (fs *Functions) Session(user string) Scope {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.lastID++
	return Scope{fs: fs, user: user, session: fs.lastID}
}

// Fix makes functions those of the server: every script can call them, none replaces them.
func (fs *Functions) Fix(functions []*Function) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.fixed == nil {
		fs.fixed = map[string]*Function{}
	}
	for _, f := range functions {
		fs.fixed[f.Name] = f
	}
}

// Lookup returns the function of that name that the owner may call, or nil.
func (s Scope) Lookup(name string) *Function {
	s.fs.mu.RLock()
	defer s.fs.mu.RUnlock()
	if fn := s.fs.fixed[name]; fn != nil {
		return fn
	}
	u := s.fs.users[s.user]
	if u == nil {
		return nil
	}
	k := u.byName[scopedName{s.session, name}]
	if k == nil {
		return nil
	}
	k.used.Store(s.fs.clock.Add(1))
	return k.fn
}

// All are the functions of the owner, in no order.
func (s Scope) All() []*Function {
	s.fs.mu.RLock()
	defer s.fs.mu.RUnlock()
	var all []*Function
	if u := s.fs.users[s.user]; u != nil {
		for at, k := range u.byName {
			if at.session == s.session {
				all = append(all, k.fn)
			}
		}
	}
	return all
}

func (s Scope) define(name string, fn *Function) error {
	fs := s.fs
	most := fs.Max
	if most == 0 {
		most = FunctionsMax
	}
	k := &keptFunction{fn: fn, bytes: fn.bytes()}
	k.used.Store(fs.clock.Add(1))
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.fixed[name] != nil {
		return Fail(SecurityException, "%s is a function of the server and cannot be defined again (functions)", name)
	}
	if k.bytes > most {
		return Fail(StateException, "the function %s takes %d bytes, and all that are kept may take %d (functionMemory)", name, k.bytes, most)
	}
	if fs.users == nil {
		fs.users = map[string]*userFunctions{}
	}
	u := fs.users[s.user]
	if u == nil {
		u = &userFunctions{byName: map[scopedName]*keptFunction{}}
		fs.users[s.user] = u
	}
	at := scopedName{s.session, name}
	fs.remove(s.user, at)
	u.byName[at] = k
	fs.users[s.user] = u
	u.bytes += k.bytes
	fs.bytes += k.bytes
	for fs.bytes > most {
		fs.evict()
	}
	return nil
}

// Forget ends the functions of a session.
func (s Scope) Forget() {
	if s.fs == nil || s.session == 0 {
		return
	}
	s.fs.mu.Lock()
	defer s.fs.mu.Unlock()
	if u := s.fs.users[s.user]; u != nil {
		for at := range u.byName {
			if at.session == s.session {
				s.fs.remove(s.user, at)
			}
		}
	}
}

func (fs *Functions) remove(user string, at scopedName) {
	u := fs.users[user]
	k := u.byName[at]
	if k == nil {
		return
	}
	delete(u.byName, at)
	u.bytes -= k.bytes
	fs.bytes -= k.bytes
	if len(u.byName) == 0 {
		delete(fs.users, user)
	}
}

// evict forgets one function of the user who holds most: nobody can push out the
// functions of others by defining many.
func (fs *Functions) evict() {
	user, most := "", int64(-1)
	for name, u := range fs.users {
		if u.bytes > most {
			user, most = name, u.bytes
		}
	}
	var oldest scopedName
	used := int64(-1)
	for at, k := range fs.users[user].byName {
		if n := k.used.Load(); used < 0 || n < used {
			oldest, used = at, n
		}
	}
	fs.remove(user, oldest)
}

// bytes is what a kept function takes: it keeps the whole text that it stood in.
func (fn *Function) bytes() int64 {
	return functionBytes + int64(fn.Source) + codePerByte*int64(len(fn.Text))
}
