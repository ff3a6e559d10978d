package answer

import (
	"strings"

	"github.com/gremlind/gremlind/protocol/message"
)

// exceptions are Java classes by parts of the texts of errors. Most errors of steps are
// plain texts, as TinkerPop's tests compare them; a few clients look at the class too.
var exceptions = []struct{ part, class string }{
	{"cannot be cast to", "java.lang.ClassCastException"},
	{"Could not locate exact method", message.ClassIllegalArgument},
	{"Not a legal range", message.ClassIllegalArgument},
	{"already exists", message.ClassIllegalArgument},
	{"convertible to class", message.ClassIllegalArgument},
	{"can only take", message.ClassIllegalArgument},
	{" as OffsetDateTime", message.ClassIllegalArgument},
	{" as number", "java.lang.NumberFormatException"},
	{"in the regular expression", "java.util.regex.PatternSyntaxException"},
	{"cannot be used to start a traversal", "java.lang.UnsupportedOperationException"},
}

// exceptionByText recognises what is known by its text.
func exceptionByText(text string) string {
	for _, x := range exceptions {
		if strings.Contains(text, x.part) {
			return x.class
		}
	}
	return message.ClassIllegalState
}
