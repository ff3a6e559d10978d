package account

// Ledger is what an account was charged for something that grows while it is used, such as
// what a transaction has yet to write. Its first LedgerFree bytes are nobody's: most take
// less, and never touch an account. The zero Ledger has charged nothing.
type Ledger struct {
	Account *Account
	bytes   int64 // that may be taken, the free ones with them; 0 before the first
}

const (
	// LedgerFree is how many bytes a Ledger does not charge.
	LedgerFree  = 16 << 10
	ledgerAhead = 16 << 10 // charged beyond what is taken
)

// Bytes is how many may be taken without another call of Cover.
func (l *Ledger) Bytes() int64 { return l.bytes }

// Cover charges for what is kept, and for a little more. After an error nothing has changed.
func (l *Ledger) Cover(kept int64) error {
	l.bytes = max(l.bytes, LedgerFree)
	if kept <= l.bytes {
		return nil
	}
	more := kept + ledgerAhead - l.bytes
	if err := l.Account.Charge(more); err != nil {
		return err
	}
	l.bytes += more
	return nil
}

// Add charges for bytes besides.
func (l *Ledger) Add(bytes int64) error {
	if err := l.Account.Charge(bytes); err != nil {
		return err
	}
	l.bytes = max(l.bytes, LedgerFree) + bytes
	return nil
}

// Shrink gives back what is much more than what is kept.
func (l *Ledger) Shrink(kept int64) {
	if kept = max(kept, LedgerFree) + ledgerAhead; l.bytes > 2*kept {
		l.Account.Release(l.bytes - kept)
		l.bytes = kept
	}
}

// Clear gives back everything.
func (l *Ledger) Clear() {
	if l.bytes > LedgerFree {
		l.Account.Release(l.bytes - LedgerFree)
	}
	l.bytes = 0
}
