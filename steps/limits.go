package steps

import "fmt"

// Limits of single values. Without them a short query could double a text or a list
// until memory ends: repeat(concat(identity())).times(60).
const (
	textMax       = 64 << 20 // bytes of a text that a step makes
	collectionMax = 4 << 20  // members of a collection that a step joins
)

func checkText(bytes int) error {
	if bytes > textMax {
		return fmt.Errorf("a text of %d bytes is more than the limit of %d", bytes, textMax)
	}
	return nil
}

func checkMembers(n int) error {
	if n > collectionMax {
		return fmt.Errorf("a collection of %d members is more than the limit of %d", n, collectionMax)
	}
	return nil
}
