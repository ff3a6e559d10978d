package protocol

import "time"

// janitorPeriod is how often connections and sessions are looked at.
const janitorPeriod = 250 * time.Millisecond

// janitor ends what stands still: stalled and idle connections, idle sessions,
// transactions left open, clients that never authenticate.
func (s *Server) janitor() {
	tick := time.NewTicker(janitorPeriod)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			now := s.desk.Now()
			s.conns.Inspect(now)
			s.renew()
			s.posts.EndTokens()
			s.sessions.Expire(now)
		case <-s.stop:
			return
		}
	}
}

// renew looks at everybody who is connected again when users have changed.
func (s *Server) renew() {
	if s.desk.Auth == nil {
		return
	}
	n := s.desk.Auth.Changes()
	if n == s.renewed {
		return
	}
	whole := s.conns.Renew()
	if s.posts.Renew() && whole { // otherwise users could not be read, and it is tried again
		s.renewed = n
	}
}
