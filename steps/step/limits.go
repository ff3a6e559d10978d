package step

import "fmt"

// Limits of single values. Without them a short query could double a text or a list
// until memory ends: repeat(concat(identity())).times(60).
const (
	TextMax       = 64 << 20 // bytes of a text that a step makes
	collectionMax = 4 << 20  // members of a collection that a step joins
)

// CheckText refuses texts over TextMax.
func CheckText(bytes int) error {
	if bytes > TextMax {
		return fmt.Errorf("a text of %d bytes is more than the limit of %d", bytes, TextMax)
	}
	return nil
}

// CheckMembers refuses collections over collectionMax.
func CheckMembers(n int) error {
	if n > collectionMax {
		return fmt.Errorf("a collection of %d members is more than the limit of %d", n, collectionMax)
	}
	return nil
}

// What an account is charged for what a step keeps.
const (
	ValueBytes = 24 // one value, at least
	// KeyBytes is for one key that is no stored element: for the key, what finds it, what is
	// counted of it, and what all of them grow by.
	KeyBytes = 64
)
